// From accumulators to float32 outputs, in place.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_ROWS_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_ROWS_H_

#include <cstdint>

#include "kernels/target/path.h"

namespace qconform::kernels {

// A matrix of s32 whose rows lie `stride` elements apart becomes f32 where it stands:
// fma(float(sum), multiplier[column], bias[column]), rounded once, then clamped to
// [lower, upper]; NaN stays NaN. (reference/numerics, ChannelRequantizer::Real)
void AccumulatorsToReal(Path path, int32_t* sums, int64_t stride, int64_t rows,
                        int64_t columns, const float* multiplier, const float* bias,
                        float lower, float upper);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_ROWS_H_
