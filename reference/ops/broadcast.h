// Broadcasting of shapes and the loops over broadcast operands.
#ifndef QCONFORM_REFERENCE_OPS_BROADCAST_H_
#define QCONFORM_REFERENCE_OPS_BROADCAST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/ops/elements.h"

namespace qconform {

// torch.broadcast_shapes. Throws InputError at `where` if the shapes do not fit.
Shape BroadcastShapes(const Shape& a, const Shape& b, const std::string& where);

// Element strides with which `shape` is read as the broadcast shape `result`: zero
// along the axes that it is repeated on.
std::vector<int64_t> BroadcastStrides(const Shape& shape, const Shape& result);

// The tensor itself if it has that shape, else a copy with repeated elements.
Tensor BroadcastTo(const Tensor& tensor, const Shape& shape, const std::string& where);

// Below this many elements a loop stays on one thread.
inline constexpr int64_t kParallelElements = 1 << 15;

// Calls row(output offset, a offset, b offset) for each row of the last axis, rows in
// any order on any thread; row must not throw.
template <typename Row>
void ForEachRow(const Shape& shape, const std::vector<int64_t>& a_strides,
                const std::vector<int64_t>& b_strides, Row row) {
  const int64_t width = shape.empty() ? 1 : shape.back();
  const int64_t total = NumElements(shape);
  if (total == 0) return;
  const int64_t rows = total / width;
#pragma omp parallel for if (total >= kParallelElements)
  for (int64_t r = 0; r < rows; ++r) {
    int64_t rest = r;
    int64_t a = 0;
    int64_t b = 0;
    for (int axis = static_cast<int>(shape.size()) - 2; axis >= 0; --axis) {
      const size_t d = static_cast<size_t>(axis);
      const int64_t index = rest % shape[d];
      rest /= shape[d];
      a += index * a_strides[d];
      b += index * b_strides[d];
    }
    row(r * width, a, b);
  }
}

// op(a, b) of broadcast operands, computed in In and given as Out.
template <typename In, typename Out, typename Operation>
Tensor BinaryMap(const Tensor& a, const Tensor& b, DType dtype, const std::string& where,
                 Operation op) {
  const Shape shape = BroadcastShapes(a.shape(), b.shape(), where);
  const std::vector<int64_t> a_strides = BroadcastStrides(a.shape(), shape);
  const std::vector<int64_t> b_strides = BroadcastStrides(b.shape(), shape);
  const ElementReader<In> a_reader(a);
  const ElementReader<In> b_reader(b);
  const int64_t width = shape.empty() ? 1 : shape.back();
  const int64_t a_step = shape.empty() ? 0 : a_strides.back();
  const int64_t b_step = shape.empty() ? 0 : b_strides.back();
  return MakeTensor<Out>(dtype, shape, [&](Out* out) {
    ForEachRow(shape, a_strides, b_strides, [&](int64_t o, int64_t i, int64_t j) {
      const In* x = a_reader.data() + i;
      const In* y = b_reader.data() + j;
      for (int64_t k = 0; k < width; ++k) {
        out[o + k] = static_cast<Out>(op(x[k * a_step], y[k * b_step]));
      }
    });
  });
}

// op(x) of every element, computed in T.
template <typename T, typename Operation>
Tensor UnaryMap(const Tensor& x, DType dtype, Operation op) {
  const ElementReader<T> reader(x);
  const T* data = reader.data();
  const int64_t count = x.numel();
  return MakeTensor<T>(dtype, x.shape(), [&](T* out) {
#pragma omp parallel for if (count >= kParallelElements)
    for (int64_t i = 0; i < count; ++i) out[i] = op(data[i]);
  });
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_BROADCAST_H_
