// quantized.add of torch's QNNPACK engine.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_FIXED_POINT_ADD_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_FIXED_POINT_ADD_H_

#include "reference/ir/tensor.h"

namespace qconform {

// Whether QNNPACK adds these; torch adds others as its other engines do.
bool AddsInFixedPoint(const Tensor& a, const Tensor& b);

// The ratios of the inputs' scales to the output's become integers of 22 bits; the sum of
// products is rounded once, halves away from zero. At ties and close to them the code
// lies one beside the float rule's. Where both ratios are below 2^-10 every exact sum
// rounds to the zero point; torch's kernel shifts by more than 31 bits there and gives
// other codes that depend on the tensor's size.
//
// Throws PipelineError("RuntimeError") where QNNPACK refuses: a scale over the output's
// outside of [2^-14, 2^8), a relu at the zero point 255, no dimensions.
// (pytorch_q8vadd_ukernel, pytorch_qnnp_create_add_nc_q8)
Tensor AddInFixedPoint(const Tensor& a, const Tensor& b,
                       const QuantizationParameters& output, bool relu);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_FIXED_POINT_ADD_H_
