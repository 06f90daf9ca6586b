// Sums of products over the windows of a plan.
#ifndef QCONFORM_REFERENCE_NUMERICS_ACCUMULATE_H_
#define QCONFORM_REFERENCE_NUMERICS_ACCUMULATE_H_

#include <cstdint>
#include <vector>

#include "reference/numerics/convolution_plan.h"

namespace qconform {

// One image and group of the arranged operands; the outputs of all its positions,
// [outputs, positions].
//
// Integers: exact in 32 bits. If a sum could leave them, it is taken in 64 bits;
// `overflow` is set if one does, and the low 32 bits are kept.
std::vector<int32_t> Accumulate(const ConvolutionPlan& plan,
                                const std::vector<int16_t>& x,
                                const std::vector<int16_t>& w, int64_t image,
                                bool may_overflow, bool* overflow);

// Real values in float32: products in index order (channel, then kernel position) within
// blocks of 256, the blocks' sums in order; the order of reference/ops/column_product.h.
std::vector<float> Accumulate(const ConvolutionPlan& plan, const std::vector<float>& x,
                              const std::vector<float>& w, int64_t image);

// Whether |x| times the absolute sum of an output's weights can leave 32 bits.
bool MayOverflow(const ConvolutionPlan& plan, const std::vector<int16_t>& x,
                 const std::vector<int16_t>& w);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ACCUMULATE_H_
