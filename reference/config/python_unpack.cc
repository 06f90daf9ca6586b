#include "reference/config/python_unpack.h"

#include <fmt/format.h>

#include <cctype>

#include "reference/config/torch_refusal.h"
#include "reference/formats/json_value.h"

namespace qconform {
namespace {

std::string TypeName(const ordered_json& value) {
  if (value.is_null()) return "NoneType";
  if (value.is_boolean()) return "bool";
  if (value.is_number_integer()) return "int";
  if (value.is_number_float()) return "float";
  if (value.is_array()) return "list";
  if (value.is_object()) return "dict";
  const std::string text = value.get<std::string>();
  const size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot + 1 == text.size()) return "str";
  return std::isupper(static_cast<unsigned char>(text[dot + 1])) != 0 ? "type"
                                                                      : "function";
}

// The number of values that unpacking would find, or -1 for what is not iterable.
int64_t CountValues(const ordered_json& entry) {
  if (entry.is_array() || entry.is_object()) return static_cast<int64_t>(entry.size());
  if (entry.is_string() && TypeName(entry) == "str") {
    return static_cast<int64_t>(entry.get<std::string>().size());
  }
  return -1;
}

// `at` is where the entry stands: a key has no place of its own.
void RequireEntry(const ordered_json& entry, const ordered_json& at, size_t size,
                  const JsonOrigin& origin) {
  const int64_t found = CountValues(entry);
  const auto wanted = static_cast<int64_t>(size);
  if (found == wanted) return;
  const std::string where = origin.Of(at);
  const std::string expected = fmt::format("a list of {} values", size);
  const std::string what = "found " + DescribeJson(entry);
  if (found < 0) {
    throw TorchRefusal(
        where, what, expected, "TypeError",
        fmt::format("cannot unpack non-iterable {} object", TypeName(entry)));
  }
  if (found < wanted) {
    throw TorchRefusal(
        where, what, expected, "ValueError",
        fmt::format("not enough values to unpack (expected {}, got {})", wanted, found));
  }
  throw TorchRefusal(where, what, expected, "ValueError",
                     fmt::format("too many values to unpack (expected {})", wanted));
}

}  // namespace

std::string PythonTypeText(const ordered_json& value) {
  return "<class '" + TypeName(value) + "'>";
}

void RequireUnpackable(const ordered_json& list, size_t size, const JsonOrigin& origin) {
  if (list.is_object()) {
    for (const auto& [key, value] : list.items()) {
      RequireEntry(key, value, size, origin);
    }
    if (!list.empty()) {
      throw InputError(origin.Of(list), "found an object", "a list of lists");
    }
    return;
  }
  if (!list.is_array()) {
    throw TorchRefusal(origin.Of(list), "found " + DescribeJson(list), "a list",
                       "TypeError", "'" + TypeName(list) + "' object is not iterable");
  }
  for (const ordered_json& entry : list) {
    RequireEntry(entry, entry, size, origin);
    if (!entry.is_array()) {
      throw InputError(origin.Of(entry), "found " + DescribeJson(entry),
                       fmt::format("a list of {} values", size));
    }
  }
}

}  // namespace qconform
