#include "reference/formats/json_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {
namespace {

[[noreturn]] void Refuse(const ordered_json& value, std::string_view what,
                         const std::string& expected, const JsonOrigin& origin) {
  throw InputError(origin.Of(value), std::string(what) + " is " + DescribeJson(value),
                   expected);
}

}  // namespace

std::string DescribeJson(const ordered_json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

const ordered_json* FindMember(const ordered_json& value, std::string_view key) {
  for (const auto& item : value.get_ref<const ordered_json::object_t&>()) {
    if (item.first == key) return &item.second;
  }
  return nullptr;
}

const ordered_json& RequireMember(const ordered_json& value, std::string_view key,
                                  const JsonOrigin& origin) {
  RequireObject(value, "the value", origin);
  const ordered_json* member = FindMember(value, key);
  if (member == nullptr) {
    throw InputError(origin.Of(value), "'" + std::string(key) + "' is missing",
                     "an object with this key");
  }
  return *member;
}

const ordered_json& RequireObject(const ordered_json& value, std::string_view what,
                                  const JsonOrigin& origin) {
  if (!value.is_object()) Refuse(value, what, "an object", origin);
  return value;
}

const ordered_json& RequireArray(const ordered_json& value, std::string_view what,
                                 const JsonOrigin& origin) {
  if (!value.is_array()) Refuse(value, what, "an array", origin);
  return value;
}

const std::string& RequireString(const ordered_json& value, std::string_view what,
                                 const JsonOrigin& origin) {
  if (!value.is_string()) Refuse(value, what, "a string", origin);
  return value.get_ref<const std::string&>();
}

bool RequireBoolean(const ordered_json& value, std::string_view what,
                    const JsonOrigin& origin) {
  if (!value.is_boolean()) Refuse(value, what, "true or false", origin);
  return value.get<bool>();
}

int64_t RequireInteger(const ordered_json& value, std::string_view what,
                       const JsonOrigin& origin) {
  if (!value.is_number_integer()) Refuse(value, what, "an integer", origin);
  return value.get<int64_t>();
}

double RequireReal(const ordered_json& value, std::string_view what,
                   const JsonOrigin& origin) {
  double real = 0.0;
  if (value.is_string() && ParseNonFinite(value.get_ref<const std::string&>(), real)) {
    return real;
  }
  if (!value.is_number()) Refuse(value, what, "a number", origin);
  return value.get<double>();
}

void RequireOnlyKeys(const ordered_json& value, std::string_view what,
                     std::initializer_list<std::string_view> keys,
                     const JsonOrigin& origin) {
  for (const auto& item : value.get_ref<const ordered_json::object_t&>()) {
    if (std::find(keys.begin(), keys.end(), item.first) != keys.end()) continue;
    std::string known;
    for (const std::string_view key : keys) {
      known += (known.empty() ? "" : ", ") + std::string(key);
    }
    throw InputError(origin.Of(item.second),
                     std::string(what) + " has an unknown key '" + item.first + "'",
                     "one of " + known);
  }
}

bool ParseNonFinite(std::string_view text, double& value) {
  if (text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == "-Infinity") {
    value = -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

ordered_json RealToJson(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

void AppendMember(ordered_json& object, std::string key, ordered_json value) {
  if (object.is_null()) object = ordered_json::object();
  std::vector<ordered_json::object_t::value_type>& members =
      object.get_ref<ordered_json::object_t&>();
  members.emplace_back(std::move(key), std::move(value));
}

}  // namespace qconform
