// What becomes of rows of a table: the loops over their columns.
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

struct LookedUpRow {
  const void* values;  // u8, s8 or f32 side by side
  RowNumbers numbers;
  float factor;
};

// sum[k] becomes the value, itself plus factor times the value, or the larger of the two:
// for one row after the other.
using RowKernel = void (*)(const LookedUpRow* rows, int64_t columns, float* sum);

// So many rows at once, between which sums stay in registers.
inline constexpr int kRowGroup = 4;

struct RowKernels {
  RowKernel one, group;
};

RowKernels ChooseRowKernels(Path path, RowValues values, bool is_signed, RowUse use);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_EMBEDDING_ROW_KERNEL_H_
