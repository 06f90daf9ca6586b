// Observers inside a module: torch.ao.quantization.prepare and prepare_qat, as far as the
// parts of torch.ao.nn.quantizable go.
#ifndef QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_OBSERVE_PARTS_H_
#define QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_OBSERVE_PARTS_H_

#include "reference/ir/module.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

inline constexpr const char* kFloatFunctionalType =
    "torch.ao.nn.quantized.FloatFunctional";
inline constexpr const char* kQuantStubType = "torch.ao.quantization.QuantStub";
// Child of an observed part: the observer of what it computes.
inline constexpr const char* kOutputObserver = "activation_post_process";

// Gives every linear, FloatFunctional and QuantStub below `module` an observer of its
// own. In training, linears become QAT ones before, and sigmoid and tanh get the
// fake-quantizers of their fixed parameters. Sets the mode of all modules.
void ObserveParts(Module& module, const QConfig& qconfig, bool training);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_OBSERVE_PARTS_H_
