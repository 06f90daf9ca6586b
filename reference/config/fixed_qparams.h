// Operators whose output range is known: their scale and zero point are fixed.
#ifndef QCONFORM_REFERENCE_CONFIG_FIXED_QPARAMS_H_
#define QCONFORM_REFERENCE_CONFIG_FIXED_QPARAMS_H_

#include <vector>

#include "reference/config/dtype_config.h"

namespace qconform {

// A copy of `configs` in which every input and output of the constraints' dtype has
// their range, scale and zero point; others stay. Throws PipelineError("ValueError")
// where there are bounds of the scale already.
// (_common_operator_config_utils._add_fixed_qparams_to_dtype_configs)
std::vector<DTypeConfig> WithFixedQparams(std::vector<DTypeConfig> configs,
                                          const DTypeWithConstraints& constraints);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_FIXED_QPARAMS_H_
