// QConfigs as JSON: {"activation": {"class", "kwargs"}, "weight": ...} or null; read also
// by the name of one of torch's: "default_dynamic_qconfig" (default_qconfig.h).
#ifndef QCONFORM_REFERENCE_QCONFIG_QCONFIG_JSON_H_
#define QCONFORM_REFERENCE_QCONFIG_QCONFIG_JSON_H_

#include "reference/config/config_finding.h"
#include "reference/formats/json_file.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

ordered_json ObserverConstructorToJson(const ObserverConstructor& constructor);
// An observer that is already made, {"class", "instance": true}, is refused as QConfig's
// constructor refuses it.
// Unknown keys beside "class" and "kwargs" are ignored and added to `findings` if there
// are any; so are those of a qconfig.
ObserverConstructor ObserverConstructorFromJson(const ordered_json& json,
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings = nullptr);

ordered_json QConfigToJson(const QConfigPointer& qconfig);
QConfigPointer QConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                               ConfigFindings* findings = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_QCONFIG_JSON_H_
