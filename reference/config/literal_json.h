// Plain values inside configs: numbers, strings, dtypes by name, lists.
#ifndef QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_

#include <string>
#include <string_view>

#include "reference/formats/json_value.h"
#include "reference/ir/argument.h"

namespace qconform {

// A string that names a dtype ("torch.qint8") is a DType. Infinities and NaN are
// the strings "Infinity", "-Infinity" and "NaN". Throws InputError.
Argument LiteralFromJson(const ordered_json& json, const JsonOrigin& origin);
ordered_json LiteralToJson(const Argument& value);

// The member, or nullptr if it is absent or null: torch's to_dict leaves out what
// is None, and from_dict takes None for absent.
const ordered_json* FindValue(const ordered_json& object, std::string_view key);
// Its text; empty if there is none.
std::string TextValue(const ordered_json& object, std::string_view key,
                      const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_LITERAL_JSON_H_
