// QConfigMappings as JSON with the keys of torch's to_dict; "global" is also
// accepted for "" and is what is written. Qconfigs may be read by name (qconfig_json.h).
#ifndef QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_JSON_H_
#define QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_JSON_H_

#include "reference/config/config_finding.h"
#include "reference/formats/json_file.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

ordered_json QConfigMappingToJson(const QConfigMapping& mapping);
// With "" for "global", as torch's to_dict.
ordered_json QConfigMappingToDict(const QConfigMapping& mapping);
// Unknown keys are ignored, as in torch, and added to `findings` if there are any.
// Throws InputError.
QConfigMapping QConfigMappingFromJson(const ordered_json& json, const JsonOrigin& origin,
                                      ConfigFindings* findings = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_JSON_H_
