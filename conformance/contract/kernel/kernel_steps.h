// Operator calls at the bounds of a dtype config, and one smallest step beside each.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_STEPS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_STEPS_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/contract/kernel/fit_call.h"

namespace qconform {

struct KernelStep {
  std::string name;  // "satisfied", "weight.scale_min.one_ulp_below", ...
  OperatorCall call;
  // Whose scale stands at a bound; nullopt: nobody's.
  std::optional<CallSide> scale_of = {};
  // The operator's own range saturates at that scale: it cannot be live (live_call.h).
  bool saturates = false;
};

// The first satisfies every bound. Of each bound of input, weight and output: right at it
// and one code or one unit in the last place inside and beyond; a range of codes left
// unsaid. And what else a config says: another dtype of each side, an output in float,
// one scale or one a channel, a zero point off the middle, ReLU fused or not, quantized
// at run time or not; and of convolutions and linears the shapes of shape_calls.h.
// Whether a step is declared, the config says. `call` satisfies `config`.
std::vector<KernelStep> KernelSteps(const OperatorCall& call, const DTypeConfig& config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_STEPS_H_
