// The backend of the tutorial in C++: the same as my_npu.json and mapping.json.
#ifndef QCONFORM_REFERENCE_TUTORIAL_MY_NPU_H_
#define QCONFORM_REFERENCE_TUTORIAL_MY_NPU_H_

#include "reference/config/backend_config.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace my_npu {

qconform::BackendConfig MyNpuConfig();
qconform::QConfigMapping MyNpuMapping();

}  // namespace my_npu

#endif  // QCONFORM_REFERENCE_TUTORIAL_MY_NPU_H_
