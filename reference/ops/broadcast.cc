#include "reference/ops/broadcast.h"

#include <algorithm>

#include "reference/ir/error.h"

namespace qconform {

Shape BroadcastShapes(const Shape& a, const Shape& b, const std::string& where) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    // Axes are matched from the last one.
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      throw InputError(where, "shapes " + ShapeText(a) + " and " + ShapeText(b),
                       "shapes that broadcast");
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

std::vector<int64_t> BroadcastStrides(const Shape& shape, const Shape& result) {
  std::vector<int64_t> strides(result.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t size = shape[shape.size() - 1 - i];
    if (size != 1) strides[result.size() - 1 - i] = stride;
    stride *= size;
  }
  return strides;
}

Tensor BroadcastTo(const Tensor& tensor, const Shape& shape, const std::string& where) {
  if (tensor.shape() == shape) return tensor;
  if (BroadcastShapes(tensor.shape(), shape, where) != shape) {
    throw InputError(where, "shape " + ShapeText(tensor.shape()),
                     "one that broadcasts to " + ShapeText(shape));
  }
  const std::vector<int64_t> strides = BroadcastStrides(tensor.shape(), shape);
  Tensor result(tensor.dtype(), shape);
  const size_t item = ItemSize(tensor.dtype());
  const int64_t width = shape.empty() ? 1 : shape.back();
  const int64_t step = shape.empty() ? 0 : strides.back();
  ForEachRow(shape, strides, strides, [&](int64_t o, int64_t i, int64_t) {
    for (int64_t k = 0; k < width; ++k) {
      std::copy_n(tensor.bytes() + static_cast<size_t>(i + k * step) * item, item,
                  result.bytes() + static_cast<size_t>(o + k) * item);
    }
  });
  return result;
}

}  // namespace qconform
