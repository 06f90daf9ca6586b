// The backend configs that torch ships, built from tables.
#ifndef QCONFORM_REFERENCE_BACKENDS_BACKENDS_H_
#define QCONFORM_REFERENCE_BACKENDS_BACKENDS_H_

#include <string>
#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// native, native_and_fp16, fbgemm, x86, qnnpack, onednn, tensorrt, executorch,
// xnnpack (the export dialect's aten patterns).
std::vector<std::string> BuiltInBackendNames();

bool IsBuiltInBackend(const std::string& name);

// Throws InputError for any other name.
const BackendConfig& BuiltInBackendConfig(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_BACKENDS_H_
