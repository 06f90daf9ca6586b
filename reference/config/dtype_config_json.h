// DTypeConfigs as JSON with the keys of torch's to_dict.
#ifndef QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_

#include <string>
#include <vector>

#include "reference/config/config_finding.h"
#include "reference/config/dtype_config.h"
#include "reference/formats/json_file.h"

namespace qconform {

// Only the fields that are set, "dtype" first; dtypes as "torch.quint8".
ordered_json DTypeWithConstraintsToJson(const DTypeWithConstraints& dtype);
// A bare dtype name or an object. Throws InputError. Unknown keys are ignored, as in
// torch, and added to `findings` if there are any; so are keys beyond torch's:
// "qscheme" ("symmetric" or "affine"), "granularity" ("per_tensor" or "per_channel")
// and "channel_axis".
DTypeWithConstraints DTypeWithConstraintsFromJson(const ordered_json& json,
                                                  const JsonOrigin& origin,
                                                  ConfigFindings* findings = nullptr);

// As torch's to_dict: constraints without a dtype are not written.
ordered_json DTypeConfigToJson(const DTypeConfig& config);
DTypeConfig DTypeConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                                ConfigFindings* findings = nullptr);

// The keys that the readers know.
const std::vector<std::string>& DTypeConfigKeys();
const std::vector<std::string>& DTypeConstraintKeys();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_
