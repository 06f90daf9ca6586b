// What torch.ao.nn.quantized.reference modules do to their weights.
#ifndef QCONFORM_REFERENCE_OPS_WEIGHT_QUANTIZATION_H_
#define QCONFORM_REFERENCE_OPS_WEIGHT_QUANTIZATION_H_

#include <string>

#include "reference/ir/module.h"
#include "reference/ops/call.h"

namespace qconform {

// The attribute of a reference module that does what torch documents where torch's own
// does not: it pads as padding_mode says, and its codes saturate.
inline constexpr const char* kAsDeclared = "as_declared";

// The parameter `name` of a reference module, quantized with the module's
// <name>_scale, <name>_zero_point, _axis_int, _dtype and _qscheme and dequantized
// again; float16 weights are rounded to float16. As it is without a qscheme.
// (ReferenceQuantizedModule.get_weight)
Tensor QuantizedAndDequantizedWeight(const Module& module, const std::string& name,
                                     const Call& call);

// The quantized tensor itself. (ReferenceQuantizedModule.get_quantized_weight)
Tensor QuantizedWeight(const Module& module, const std::string& name, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_WEIGHT_QUANTIZATION_H_
