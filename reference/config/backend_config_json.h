// Backend configs as JSON with the keys of torch's to_dict.
#ifndef QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_

#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/config_finding.h"
#include "reference/formats/json_file.h"

namespace qconform {

// A name for an atom, an array for a tuple, {"lit": value} for a literal.
ordered_json PatternToJson(const Pattern& pattern);
// Throws InputError.
Pattern PatternFromJson(const ordered_json& json, const JsonOrigin& origin);

ordered_json BackendPatternConfigToJson(const BackendPatternConfig& config);
BackendPatternConfig BackendPatternConfigFromJson(const ordered_json& json,
                                                  const JsonOrigin& origin,
                                                  ConfigFindings* findings = nullptr);

// The keys of an entry that the reader knows.
const std::vector<std::string>& BackendPatternConfigKeys();

// {"name": ..., "configs": [...]}. Unknown keys are ignored, as in torch, and added to
// `findings` if there are any.
ordered_json BackendConfigToJson(const BackendConfig& config);
BackendConfig BackendConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                                    ConfigFindings* findings = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_JSON_H_
