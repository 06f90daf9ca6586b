// Sums of dequantized codes in the order of reference/numerics/cascade_sum.h, many at
// once, on every path.
#ifndef QCONFORM_KERNELS_POOL_MEAN_COLUMNS_H_
#define QCONFORM_KERNELS_POOL_MEAN_COLUMNS_H_

#include <cstdint>

#include "kernels/requantize/real_parameters.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

// In which order torch adds the elements of one mean.
enum class MeanOrder {
  kCascade,  // CascadeColumns
  kDealt,    // DealtSum
  kRow,      // SumRow
  kSequential,
};

// Means that lie column_stride bytes apart in the input, of `width` elements each.
struct MeanColumns {
  const uint8_t* input;
  int64_t column_stride;
  int64_t count;
  int64_t width;
  int64_t stride;          // bytes from element to element
  const int64_t* offsets;  // or where each of them lies; nullptr: by stride
  uint8_t* output;
  int64_t output_stride;
};

using MeanKernel = void (*)(const MeanColumns& columns, MeanOrder order,
                            const RealInputParameters& input,
                            const RealOutputParameters& output);

MeanKernel MeanKernelOf(Path path);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_MEAN_COLUMNS_H_
