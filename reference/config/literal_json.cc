#include "reference/config/literal_json.h"

#include <cmath>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {

using nlohmann::ordered_json;

Argument LiteralFromJson(const ordered_json& json, const std::string& where) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() &&
      json.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    throw InputError(where, "number " + json.dump() + " is too large",
                     "an integer of 64 bits");
  }
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "Infinity") return kInfinity;
    if (text == "-Infinity") return -kInfinity;
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text.rfind("torch.", 0) == 0) {
      if (std::optional<DType> dtype = ParseDType(text)) return *dtype;
    }
    return text;
  }
  if (json.is_array()) {
    std::vector<Argument> items;
    for (const ordered_json& item : json) items.push_back(LiteralFromJson(item, where));
    return Argument::List(std::move(items));
  }
  throw InputError(where, "an object stands for a plain value",
                   "a number, string, list or null");
}

ordered_json LiteralToJson(const Argument& value) {
  if (value.IsNone()) return nullptr;
  if (const bool* flag = value.As<bool>()) return *flag;
  if (const int64_t* integer = value.As<int64_t>()) return *integer;
  if (const double* real = value.As<double>()) {
    if (std::isnan(*real)) return "NaN";
    if (std::isinf(*real)) return *real > 0 ? "Infinity" : "-Infinity";
    return *real;
  }
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

const ordered_json* FindMember(const ordered_json& object, const char* key) {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string TextMember(const ordered_json& object, const char* key,
                       const std::string& where) {
  const ordered_json* member = FindMember(object, key);
  if (member == nullptr) return "";
  if (!member->is_string()) {
    throw InputError(where + "." + key, "found " + std::string(member->type_name()),
                     "a string");
  }
  return member->get<std::string>();
}

void ExpectObject(const ordered_json& json, const std::string& where) {
  if (!json.is_object()) {
    throw InputError(where, "found " + std::string(json.type_name()), "an object");
  }
}

void ExpectArray(const ordered_json& json, const std::string& where) {
  if (!json.is_array()) {
    throw InputError(where, "found " + std::string(json.type_name()), "a list");
  }
}

}  // namespace qconform
