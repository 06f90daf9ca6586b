// QConfigMappings as JSON with the keys of torch's to_dict; "global" is also
// accepted for "" and is what is written.
#ifndef QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_JSON_H_

#include "reference/config/qconfig_mapping.h"
#include "reference/formats/json_file.h"

namespace qconform {

ordered_json QConfigMappingToJson(const QConfigMapping& mapping);
// Unknown keys are ignored, as in torch. Throws InputError.
QConfigMapping QConfigMappingFromJson(const ordered_json& json, const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_JSON_H_
