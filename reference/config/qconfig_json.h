// QConfigs as JSON: {"activation": {"class", "kwargs"}, "weight": ...} or null.
#ifndef QCONFORM_REFERENCE_CONFIG_QCONFIG_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_QCONFIG_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/config/qconfig.h"

namespace qconform {

nlohmann::ordered_json ObserverConstructorToJson(const ObserverConstructor& constructor);
ObserverConstructor ObserverConstructorFromJson(const nlohmann::ordered_json& json,
                                                const std::string& where);

nlohmann::ordered_json QConfigToJson(const QConfigPointer& qconfig);
QConfigPointer QConfigFromJson(const nlohmann::ordered_json& json,
                               const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_QCONFIG_JSON_H_
