// Windows of pooling over one, two or three spatial axes.
#ifndef QCONFORM_REFERENCE_OPS_POOL_H_
#define QCONFORM_REFERENCE_OPS_POOL_H_

#include <cstdint>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

// The elements [begin, end), in steps, that one result index covers on one axis.
struct Window {
  int64_t begin;
  int64_t end;
  int64_t step = 1;
  int64_t count = 1;  // what an average divides by on this axis
};

// Windows for each result index of each spatial axis.
using AxisWindows = std::vector<std::vector<Window>>;

struct PoolSettings {
  std::vector<int64_t> kernel;
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> dilation;
  bool ceil_mode = false;
};

// Reads kernel_size, stride, padding from positions 1, 2, 3 of the call (a missing
// stride is the kernel). Dilation stays 1 and ceil_mode false.
PoolSettings ReadPoolSettings(const Call& call, int spatial);

// A list of integers for each spatial axis.
std::vector<int64_t> SpatialIntegers(const Call& call, size_t position,
                                     const char* keyword, int spatial, int64_t fallback);

// Number of windows on an axis of `size`, as torch counts them.
int64_t PooledSize(int64_t size, const PoolSettings& settings, size_t axis,
                   const Call& call);

// result[n, c, i, j] = reduce(data of plane (n, c), {window i, window j, ...}), where
// the last `spatial` axes of the input are windowed; reduce gets the plane, its spatial
// sizes and one window an axis. Defined for float, double and int64_t planes.
template <typename T, typename Reduce>
void ForEachWindow(const T* data, T* out, int64_t planes, const Shape& sizes,
                   const AxisWindows& windows, Reduce reduce) {
  int64_t plane = 1;
  int64_t out_plane = 1;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    plane *= sizes[axis];
    out_plane *= static_cast<int64_t>(windows[axis].size());
  }
#pragma omp parallel for if (planes * out_plane >= 4096)
  for (int64_t p = 0; p < planes; ++p) {
    // Always three axes: missing ones are of size 1.
    Window chosen[3] = {{0, 1}, {0, 1}, {0, 1}};
    int64_t strides[3] = {0, 0, 0};
    const size_t lead = 3 - sizes.size();
    int64_t stride = 1;
    for (size_t axis = sizes.size(); axis-- > 0;) {
      strides[lead + axis] = stride;
      stride *= sizes[axis];
    }
    for (int64_t o = 0; o < out_plane; ++o) {
      int64_t rest = o;
      for (size_t axis = sizes.size(); axis-- > 0;) {
        const int64_t count = static_cast<int64_t>(windows[axis].size());
        chosen[lead + axis] = windows[axis][static_cast<size_t>(rest % count)];
        rest /= count;
      }
      out[p * out_plane + o] = reduce(data + p * plane, chosen, strides);
    }
  }
}

// Calls visit(element) for all elements of a window in row-major order.
template <typename T, typename Visit>
void VisitWindow(const T* plane, const Window* windows, const int64_t* strides,
                 Visit visit) {
  for (int64_t i = windows[0].begin; i < windows[0].end; i += windows[0].step) {
    for (int64_t j = windows[1].begin; j < windows[1].end; j += windows[1].step) {
      const T* row = plane + i * strides[0] + j * strides[1];
      for (int64_t k = windows[2].begin; k < windows[2].end; k += windows[2].step) {
        visit(row[k * strides[2]]);
      }
    }
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_POOL_H_
