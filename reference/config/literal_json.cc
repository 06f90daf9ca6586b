#include "reference/config/literal_json.h"

#include "reference/ir/error.h"

namespace qconform {

Argument LiteralFromJson(const ordered_json& json, const JsonOrigin& origin) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    if (double value = 0; ParseNonFinite(text, value)) return value;
    if (text.rfind("torch.", 0) == 0) {
      if (std::optional<DType> dtype = ParseDType(text)) return *dtype;
    }
    return text;
  }
  if (json.is_array()) {
    std::vector<Argument> items;
    for (const ordered_json& item : json) items.push_back(LiteralFromJson(item, origin));
    return Argument::List(std::move(items));
  }
  throw InputError(origin.Of(json), "found " + DescribeJson(json),
                   "a number, string, list or null");
}

ordered_json LiteralToJson(const Argument& value) {
  if (value.IsNone()) return nullptr;
  if (const bool* flag = value.As<bool>()) return *flag;
  if (const int64_t* integer = value.As<int64_t>()) return *integer;
  if (const double* real = value.As<double>()) return RealToJson(*real);
  if (const std::string* text = value.As<std::string>()) return *text;
  if (const DType* dtype = value.As<DType>()) {
    return "torch." + std::string(DTypeName(*dtype));
  }
  if (const Sequence* sequence = value.As<Sequence>()) {
    ordered_json items = ordered_json::array();
    for (const Argument& item : sequence->items) items.push_back(LiteralToJson(item));
    return items;
  }
  if (const OpaqueValue* opaque = value.As<OpaqueValue>()) return opaque->text;
  throw InputError("config", "a value has no JSON form", "a plain value");
}

const ordered_json* FindValue(const ordered_json& object, std::string_view key) {
  const ordered_json* member = FindMember(object, key);
  return member == nullptr || member->is_null() ? nullptr : member;
}

std::string TextValue(const ordered_json& object, std::string_view key,
                      const JsonOrigin& origin) {
  const ordered_json* member = FindValue(object, key);
  if (member == nullptr) return "";
  return RequireString(*member, "'" + std::string(key) + "'", origin);
}

}  // namespace qconform
