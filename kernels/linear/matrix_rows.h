// A tensor [.., last] seen as rows.
#ifndef QCONFORM_KERNELS_LINEAR_MATRIX_ROWS_H_
#define QCONFORM_KERNELS_LINEAR_MATRIX_ROWS_H_

#include <cstdint>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

inline int64_t LeadingElements(const qc_tensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i + 1 < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

// Bytes from the first element to row `row`.
inline int64_t RowOffset(const qc_tensor& tensor, int64_t row) {
  int64_t offset = 0;
  for (int i = tensor.rank - 2; i >= 0; --i) {
    offset += row % tensor.shape[i] * tensor.stride[i];
    row /= tensor.shape[i];
  }
  return offset;
}

// Whether all rows lie equally far apart (row_stride elements) with their elements of
// `bytes` each side by side.
inline bool IsMatrix(const qc_tensor& tensor, int bytes, int64_t& row_stride) {
  const int64_t columns = tensor.shape[tensor.rank - 1];
  if (columns > 1 && tensor.stride[tensor.rank - 1] != bytes) return false;
  int64_t step = columns * bytes;
  int64_t below = 0;  // rows in the dimensions seen so far, 0: none yet
  for (int i = tensor.rank - 2; i >= 0; --i) {
    if (tensor.shape[i] == 1) continue;
    if (below == 0) {
      step = tensor.stride[i];
      below = tensor.shape[i];
    } else if (tensor.stride[i] == step * below) {
      below *= tensor.shape[i];
    } else {
      return false;
    }
  }
  if (step % bytes != 0) return false;
  row_stride = step / bytes;
  return row_stride >= columns && row_stride <= INT32_MAX;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LINEAR_MATRIX_ROWS_H_
