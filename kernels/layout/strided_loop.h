// Several tensors of one shape walked together, in few and long rows.
#ifndef QCONFORM_KERNELS_LAYOUT_STRIDED_LOOP_H_
#define QCONFORM_KERNELS_LAYOUT_STRIDED_LOOP_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

template <int kTensors>
class StridedLoop {
 public:
  using Strides = std::array<int64_t, kTensors>;

  // Byte strides of each dimension of `shape`, 0 where a tensor is repeated. The last
  // tensor decides the order: its densest dimension becomes the row.
  StridedLoop(const int64_t* shape, int rank,
              const std::array<std::array<int64_t, QC_MAX_RANK>, kTensors>& strides) {
    std::array<Level, QC_MAX_RANK> levels;
    int count = 0;
    for (int i = 0; i < rank; ++i) {
      if (shape[i] == 0) empty_ = true;
      if (shape[i] == 1) continue;
      levels[count].extent = shape[i];
      for (int t = 0; t < kTensors; ++t) levels[count].stride[t] = strides[t][i];
      ++count;
    }
    std::stable_sort(levels.begin(), levels.begin() + count,
                     [](const Level& a, const Level& b) {
                       return std::abs(a.stride.back()) > std::abs(b.stride.back());
                     });
    for (int i = 0; i < count; ++i) {
      if (depth_ > 0 && Continues(levels_[depth_ - 1], levels[i])) {
        levels_[depth_ - 1].extent *= levels[i].extent;
        levels_[depth_ - 1].stride = levels[i].stride;
      } else {
        levels_[depth_++] = levels[i];
      }
    }
    if (depth_ == 0) levels_[depth_++] = {1, {}};
  }

  int64_t Rows() const {
    int64_t rows = empty_ ? 0 : 1;
    for (int i = 0; i + 1 < depth_; ++i) rows *= levels_[i].extent;
    return rows;
  }
  int64_t RowLength() const { return levels_[depth_ - 1].extent; }
  const Strides& RowStride() const { return levels_[depth_ - 1].stride; }

  // Bytes from each tensor's first element to that of row `row`.
  Strides Offset(int64_t row) const {
    Strides offset = {};
    for (int i = depth_ - 2; i >= 0; --i) {
      const int64_t at = row % levels_[i].extent;
      row /= levels_[i].extent;
      for (int t = 0; t < kTensors; ++t) offset[t] += at * levels_[i].stride[t];
    }
    return offset;
  }

 private:
  struct Level {
    int64_t extent = 1;
    Strides stride = {};
  };

  // Whether the outer level's steps are whole runs of the inner one, in every tensor.
  static bool Continues(const Level& outer, const Level& inner) {
    for (int t = 0; t < kTensors; ++t)
      if (outer.stride[t] != inner.stride[t] * inner.extent) return false;
    return true;
  }

  std::array<Level, QC_MAX_RANK + 1> levels_;  // outermost first
  int depth_ = 0;
  bool empty_ = false;
};

// Byte strides of `tensor` in the dimensions of `shape`, to which it is broadcast as
// torch does: 0 along what is repeated.
inline std::array<int64_t, QC_MAX_RANK> BroadcastStrides(const qc_tensor& tensor,
                                                         const qc_tensor& shape) {
  std::array<int64_t, QC_MAX_RANK> strides = {};
  const int skipped = shape.rank - tensor.rank;
  for (int i = 0; i < tensor.rank; ++i)
    if (tensor.shape[i] != 1) strides[skipped + i] = tensor.stride[i];
  return strides;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_STRIDED_LOOP_H_
