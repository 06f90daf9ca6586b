// What becomes of one row of a table: the loops over its columns.
#ifndef QCONFORM_KERNELS_EMBEDDING_ROW_KERNEL_H_
#define QCONFORM_KERNELS_EMBEDDING_ROW_KERNEL_H_

#include <cstdint>

#include "kernels/target/path.h"

namespace qconform::kernels {

// How the elements of a row become real values.
enum class RowValues {
  kReal,          // f32, as they are
  kFromOffset,    // code * scale + offset, in one rounding (embedding_table.h)
  kFromZeroPoint  // (code - zero_point) * scale
};

enum class RowUse { kStore, kAdd, kKeepLargest };

struct RowNumbers {
  float scale = 1.0f;
  float offset = 0.0f;
  int32_t zero_point = 0;
};

// values: u8, s8 or f32 side by side. sum[k] becomes the value, itself plus factor times
// the value, or the larger of the two.
using RowKernel = void (*)(const void* values, const RowNumbers& row, float factor,
                           int64_t count, float* sum);

RowKernel ChooseRowKernel(Path path, RowValues values, bool is_signed, RowUse use);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_EMBEDDING_ROW_KERNEL_H_
