// Backend configs as JSON with the keys of torch's to_dict.
#ifndef QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/config/backend_config.h"

namespace qconform {

// A name for an atom, an array for a tuple, {"lit": value} for a literal.
nlohmann::ordered_json PatternToJson(const Pattern& pattern);
// `where` names the place in errors. Throws InputError.
Pattern PatternFromJson(const nlohmann::ordered_json& json, const std::string& where);

nlohmann::ordered_json BackendPatternConfigToJson(const BackendPatternConfig& config);
BackendPatternConfig BackendPatternConfigFromJson(const nlohmann::ordered_json& json,
                                                  const std::string& where);

// {"name": ..., "configs": [...]}. Unknown keys are ignored, as in torch.
nlohmann::ordered_json BackendConfigToJson(const BackendConfig& config);
BackendConfig BackendConfigFromJson(const nlohmann::ordered_json& json,
                                    const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_
