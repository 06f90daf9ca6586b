// Operator calls at the bounds of a dtype config, and one smallest step beside each.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_STEPS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_STEPS_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/dtype_config.h"

namespace qconform {

struct KernelStep {
  std::string name;  // "satisfied", "weight.scale_min.one_ulp_below", ...
  OperatorCall call;
};

// The first satisfies every bound as it was calibrated; then "SIDE.scale_min.at", which
// does too; the others overstep one bound each by one code or one unit in the last place,
// or have another dtype. Sides are input, weight, bias and output. `call` satisfies
// `config`; inputs of operators without weights are all the input's side.
std::vector<KernelStep> KernelSteps(const OperatorCall& call, const DTypeConfig& config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_STEPS_H_
