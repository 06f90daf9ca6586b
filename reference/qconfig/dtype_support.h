// Whether convert may swap a weighted module under its qconfig.
#ifndef QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_
#define QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_

#include <string>
#include <vector>

#include "reference/config/dtype_config.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

struct DTypeVerdict {
  bool supported = true;
  // When not, of the dtype config that fails in the fewest fields: the first of these
  // ("input_dtype", "is_dynamic", "weight_dtype", "output_dtype", "bias_dtype";
  // "dtype_configs" if none is declared) and one line with what the qconfig has and what
  // the backend allows.
  std::string field = {};
  std::string reason = {};
};

// Throws PipelineError("AssertionError") for no qconfig and
// PipelineError("AttributeError") for a side that is not an observer.
// (_is_qconfig_supported_by_dtype_configs)
DTypeVerdict CheckDTypeConfigs(const QConfigPointer& qconfig,
                               const std::vector<DTypeConfig>& dtype_configs);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_DTYPE_SUPPORT_H_
