// One function for each built-in config.
#ifndef QCONFORM_REFERENCE_BACKENDS_BUILDERS_H_
#define QCONFORM_REFERENCE_BACKENDS_BUILDERS_H_

#include "reference/config/backend_config.h"

namespace qconform {

BackendConfig BuildNative();
BackendConfig BuildNativeAndFp16();
BackendConfig BuildFbgemm();
BackendConfig BuildX86();
BackendConfig BuildQnnpack();
BackendConfig BuildOnednn();
BackendConfig BuildTensorrt();
BackendConfig BuildExecutorch();
BackendConfig BuildXnnpack();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_BUILDERS_H_
