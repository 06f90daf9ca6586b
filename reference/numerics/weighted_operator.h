// The arithmetic that convolution and linear share, from operands to codes.
#ifndef QCONFORM_REFERENCE_NUMERICS_WEIGHTED_OPERATOR_H_
#define QCONFORM_REFERENCE_NUMERICS_WEIGHTED_OPERATOR_H_

#include <string>
#include <vector>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/convolution_plan.h"
#include "reference/numerics/scalar_call.h"

namespace qconform {

// x u8 or s8 per tensor (f32 if dynamic); w u8 or s8 per tensor or per output channel;
// bias f32 or s32 [O] or none (s32 counts in units of sx * sw); y codes per tensor, f32,
// or s32 without a scale for the accumulator itself.
std::string CheckWeighted(const ScalarCall& call);

// f32 and q31 schemes, and real; real alone with a residual or with an activation that
// is no bound.
std::vector<std::string> WeightedSchemes(const ScalarCall& call);

// The codes of y that a fused relu, relu6 or clamp leaves; all of its own for none.
CodeBounds FusedBounds(const qc_attributes& attributes, const qc_tensor& y);

void RunWeighted(const ScalarCall& call, const ConvolutionPlan& plan);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_WEIGHTED_OPERATOR_H_
