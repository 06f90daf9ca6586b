// Plain values inside configs: numbers, strings, dtypes by name, lists.
#ifndef QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/ir/argument.h"

namespace qconform {

// A string that names a dtype ("torch.qint8") is a DType. Infinities and NaN are
// the strings "Infinity", "-Infinity" and "NaN". Throws InputError.
Argument LiteralFromJson(const nlohmann::ordered_json& json, const std::string& where);
nlohmann::ordered_json LiteralToJson(const Argument& value);

// Members of an object, with the error line of a wrong kind. An absent or null
// member is `nullptr` or empty.
const nlohmann::ordered_json* FindMember(const nlohmann::ordered_json& object,
                                         const char* key);
std::string TextMember(const nlohmann::ordered_json& object, const char* key,
                       const std::string& where);
void ExpectObject(const nlohmann::ordered_json& json, const std::string& where);
void ExpectArray(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_
