// The forward of a reference quantized module.
#ifndef QCONFORM_REFERENCE_OPS_REFERENCE_FORWARD_H_
#define QCONFORM_REFERENCE_OPS_REFERENCE_FORWARD_H_

#include "reference/ops/registry.h"

namespace qconform {

// `forward` of the float class, on parameters named weight... that were quantized and
// dequantized with the module's weight_scale, weight_zero_point and weight_dtype.
// (torch.ao.nn.quantized.reference.modules.utils.ReferenceQuantizedModule)
ModuleDefinition OnReferenceWeight(ModuleDefinition forward);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_REFERENCE_FORWARD_H_
