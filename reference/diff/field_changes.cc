#include "reference/diff/field_changes.h"

#include <fmt/format.h>

#include <cmath>

#include "reference/ir/ordered_map.h"

namespace qconform {
namespace {

void Flatten(const ordered_json& value, const std::string& path,
             OrderedMap<std::string>& leaves) {
  if (value.is_structured() && value.empty() && !path.empty()) {
    leaves.Set(path, value.dump());  // {} is not absent
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      Flatten(item, path.empty() ? key : path + "." + key, leaves);
    }
  } else if (value.is_array()) {
    size_t index = 0;
    for (const ordered_json& item : value) {
      Flatten(item, path + "[" + std::to_string(index++) + "]", leaves);
    }
  } else {
    leaves.Set(path, ValueText(value));
  }
}

}  // namespace

std::string ValueText(const ordered_json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  int exponent = 0;
  if (std::frexp(number, &exponent) == 0.5 && (exponent <= -4 || exponent > 20)) {
    return fmt::format("2^{}", exponent - 1);
  }
  return fmt::format("{}", number);
}

std::vector<FieldChange> FieldChanges(const ordered_json& a, const ordered_json& b) {
  OrderedMap<std::string> before, after;
  Flatten(a, "", before);
  Flatten(b, "", after);
  std::vector<FieldChange> changes;
  for (const auto& [field, value] : before) {
    const std::string* other = after.Find(field);
    if (other != nullptr && *other == value) continue;
    changes.push_back({field, value, other == nullptr ? "none" : *other});
  }
  for (const auto& [field, value] : after) {
    if (!before.Contains(field)) changes.push_back({field, "none", value});
  }
  return changes;
}

}  // namespace qconform
