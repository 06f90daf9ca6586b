// Typed access to JSON values; each throws InputError with the value's place.
#ifndef QCONFORM_REFERENCE_FORMATS_JSON_VALUE_H_
#define QCONFORM_REFERENCE_FORMATS_JSON_VALUE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "reference/formats/json_file.h"

namespace qconform {

// "object", "array", "string 'abc'", "number 3": a value in an error line.
std::string DescribeJson(const ordered_json& value);

// The member `key` of an object; nullptr if absent. `value` must be an object.
// Linear in the size of the object: for objects of a few keys.
const ordered_json* FindMember(const ordered_json& value, std::string_view key);

const ordered_json& RequireMember(const ordered_json& value, std::string_view key,
                                  const JsonOrigin& origin);
const ordered_json& RequireObject(const ordered_json& value, std::string_view what,
                                  const JsonOrigin& origin);
const ordered_json& RequireArray(const ordered_json& value, std::string_view what,
                                 const JsonOrigin& origin);
const std::string& RequireString(const ordered_json& value, std::string_view what,
                                 const JsonOrigin& origin);
bool RequireBoolean(const ordered_json& value, std::string_view what,
                    const JsonOrigin& origin);
int64_t RequireInteger(const ordered_json& value, std::string_view what,
                       const JsonOrigin& origin);
// A number, or one of the strings "NaN", "Infinity", "-Infinity".
double RequireReal(const ordered_json& value, std::string_view what,
                   const JsonOrigin& origin);
// Refuses keys of an object that are not listed.
void RequireOnlyKeys(const ordered_json& value, std::string_view what,
                     std::initializer_list<std::string_view> keys,
                     const JsonOrigin& origin);

// True for "NaN", "Infinity", "-Infinity"; sets `value`.
bool ParseNonFinite(std::string_view text, double& value);
// A number, or the string of a non-finite one.
ordered_json RealToJson(double value);
// Appends without looking for an equal key, which ordered_json does linearly.
void AppendMember(ordered_json& object, std::string key, ordered_json value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_JSON_VALUE_H_
