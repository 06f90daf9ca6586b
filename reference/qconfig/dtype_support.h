// Whether convert may swap a weighted module under its qconfig.
#ifndef QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_
#define QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_

#include <vector>

#include "reference/config/dtype_config.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Throws PipelineError("AssertionError") for no qconfig and
// PipelineError("AttributeError") for a side that is not an observer.
// (_is_qconfig_supported_by_dtype_configs)
bool IsSupportedByDTypeConfigs(const QConfigPointer& qconfig,
                               const std::vector<DTypeConfig>& dtype_configs);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_
