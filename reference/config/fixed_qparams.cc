#include "reference/config/fixed_qparams.h"

#include "reference/config/python_repr.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

void RefuseBound(const char* bound, const DTypeConfig& config) {
  throw PipelineError(
      "ValueError",
      std::string(bound) + " is invalid for fixed qparams ops: " + PythonRepr(config));
}

}  // namespace

std::vector<DTypeConfig> WithFixedQparams(std::vector<DTypeConfig> configs,
                                          const DTypeWithConstraints& constraints) {
  for (DTypeConfig& config : configs) {
    const DTypeConfig before = config;
    for (DTypeWithConstraints* dtype : {&config.input_dtype, &config.output_dtype}) {
      if (dtype->dtype != constraints.dtype) continue;
      if (dtype->scale_min_lower_bound) RefuseBound("scale_min_lower_bound", before);
      if (dtype->scale_max_upper_bound) RefuseBound("scale_max_upper_bound", before);
      dtype->quant_min_lower_bound = constraints.quant_min_lower_bound;
      dtype->quant_max_upper_bound = constraints.quant_max_upper_bound;
      dtype->scale_exact_match = constraints.scale_exact_match;
      dtype->zero_point_exact_match = constraints.zero_point_exact_match;
    }
  }
  return configs;
}

}  // namespace qconform
