// DTypeConfigs as JSON with the keys of torch's to_dict.
#ifndef QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_
#define QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/config/dtype_config.h"

namespace qconform {

// Only the fields that are set, "dtype" first; dtypes as "torch.quint8".
nlohmann::ordered_json DTypeWithConstraintsToJson(const DTypeWithConstraints& dtype);
// A bare dtype name or an object. Throws InputError.
DTypeWithConstraints DTypeWithConstraintsFromJson(const nlohmann::ordered_json& json,
                                                  const std::string& where);

// As torch's to_dict: constraints without a dtype are not written.
nlohmann::ordered_json DTypeConfigToJson(const DTypeConfig& config);
DTypeConfig DTypeConfigFromJson(const nlohmann::ordered_json& json,
                                const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_JSON_H_
