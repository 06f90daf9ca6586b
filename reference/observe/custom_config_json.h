// Custom configs as JSON with the keys of torch's to_dict: "standalone_module_name",
// "float_to_observed_custom_module_class", "input_quantized_idxs", ...
#ifndef QCONFORM_REFERENCE_OBSERVE_CUSTOM_CONFIG_JSON_H_
#define QCONFORM_REFERENCE_OBSERVE_CUSTOM_CONFIG_JSON_H_

#include "reference/config/config_finding.h"
#include "reference/formats/json_file.h"
#include "reference/fuse/fuse_custom_config.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare_custom_config.h"

namespace qconform {

// Standalone modules are lists of five: name or class, qconfig mapping or null, example
// inputs (not read: shapes come with the graph), prepare custom config or null, backend
// config or null. Unknown keys are ignored, as in torch, and added to `findings` if
// there are any. Throw TorchRefusal for what torch refuses, InputError for the rest.
PrepareCustomConfig PrepareCustomConfigFromJson(const ordered_json& json,
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings = nullptr);
ConvertCustomConfig ConvertCustomConfigFromJson(const ordered_json& json,
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings = nullptr);
FuseCustomConfig FuseCustomConfigFromJson(const ordered_json& json,
                                          const JsonOrigin& origin,
                                          ConfigFindings* findings = nullptr);

// Only what is set.
ordered_json PrepareCustomConfigToJson(const PrepareCustomConfig& config);
ordered_json ConvertCustomConfigToJson(const ConvertCustomConfig& config);
ordered_json FuseCustomConfigToJson(const FuseCustomConfig& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_CUSTOM_CONFIG_JSON_H_
