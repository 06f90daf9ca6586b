// Operator kinds and attributes as text.
#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/lower/attribute_fields.h"
#include "reference/lower/operator_kind_names.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

// Floats are written as the doubles that they are: the shortest text is theirs.
template <typename T>
ordered_json Number(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return RealToJson(static_cast<double>(value));
  } else {
    return value;
  }
}

template <typename T>
void ReadNumber(const ordered_json& value, const char* name, const JsonOrigin& origin,
                T& target) {
  if constexpr (std::is_floating_point_v<T>) {
    target = static_cast<T>(RequireReal(value, name, origin));
  } else {
    const int64_t number = RequireInteger(value, name, origin);
    if (!std::in_range<T>(number)) {
      throw InputError(origin.Of(value),
                       std::string(name) + " is " + std::to_string(number),
                       "a number that fits its field");
    }
    target = static_cast<T>(number);
  }
}

}  // namespace

std::string_view OperatorKindName(int kind) {
  return kind >= 1 && kind <= static_cast<int>(kOperatorKindNames.size())
             ? kOperatorKindNames[static_cast<size_t>(kind - 1)]
             : "unknown";
}

std::optional<qc_operator_kind> ParseOperatorKind(std::string_view name) {
  const auto found =
      std::find(kOperatorKindNames.begin(), kOperatorKindNames.end(), name);
  if (found == kOperatorKindNames.end()) return std::nullopt;
  return static_cast<qc_operator_kind>(found - kOperatorKindNames.begin() + 1);
}

ordered_json AttributesToJson(const qc_attributes& attributes) {
  ordered_json object = ordered_json::object();
  VisitAttributes(attributes, [&](const char* name, auto values) {
    if (std::all_of(values.begin(), values.end(), [](auto v) { return v == 0; })) return;
    if (values.size() == 1) {
      AppendMember(object, name, Number(values[0]));
      return;
    }
    ordered_json list = ordered_json::array();
    size_t count = values.size();
    while (values[count - 1] == 0) --count;
    for (size_t i = 0; i < count; ++i) list.push_back(Number(values[i]));
    AppendMember(object, name, std::move(list));
  });
  return object;
}

qc_attributes AttributesFromJson(const ordered_json& value, const JsonOrigin& origin) {
  RequireObject(value, "attributes", origin);
  qc_attributes attributes{};
  attributes.size = sizeof(qc_attributes);
  size_t known = 0;
  VisitAttributes(attributes, [&](const char* name, auto values) {
    const ordered_json* member = FindMember(value, name);
    if (member == nullptr) return;
    ++known;
    if (values.size() == 1) {
      ReadNumber(*member, name, origin, values[0]);
      return;
    }
    const ordered_json& list = RequireArray(*member, name, origin);
    if (list.size() > values.size()) {
      throw InputError(
          origin.Of(*member),
          std::string(name) + " has " + std::to_string(list.size()) + " values",
          "at most " + std::to_string(values.size()));
    }
    for (size_t i = 0; i < list.size(); ++i) {
      ReadNumber(list[i], name, origin, values[i]);
    }
  });
  if (known == value.size()) return attributes;
  for (const auto& [key, member] : value.items()) {
    bool found = false;
    const std::string& name = key;
    VisitAttributes(attributes, [&](const char* field, auto) { found |= name == field; });
    if (!found) {
      throw InputError(origin.Of(member), "there is no attribute '" + key + "'",
                       "a field of qc_attributes");
    }
  }
  return attributes;
}

}  // namespace qconform
