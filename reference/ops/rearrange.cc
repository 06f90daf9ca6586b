#include "reference/ops/rearrange.h"

#include <algorithm>

namespace qconform {
namespace {

// A tensor of another shape with the dtype and parameters of `like`.
Tensor Alike(const Tensor& like, Shape shape) {
  Tensor tensor(like.dtype(), std::move(shape));
  if (like.quantization()) tensor.set_quantization(*like.quantization());
  return tensor;
}

}  // namespace

Tensor Row(const Tensor& x, int64_t index) {
  Tensor row = Alike(x, Shape(x.shape().begin() + 1, x.shape().end()));
  std::copy_n(x.bytes() + static_cast<size_t>(index) * row.byte_size(), row.byte_size(),
              row.bytes());
  return row;
}

Tensor Columns(const Tensor& x, int64_t begin, int64_t count) {
  Tensor part = Alike(x, {x.dim(0), count});
  const size_t item = ItemSize(x.dtype());
  for (int64_t row = 0; row < x.dim(0); ++row) {
    std::copy_n(x.bytes() + static_cast<size_t>(row * x.dim(1) + begin) * item,
                static_cast<size_t>(count) * item,
                part.bytes() + static_cast<size_t>(row * count) * item);
  }
  return part;
}

Tensor Stacked(const std::vector<Tensor>& rows) {
  Shape shape = rows.front().shape();
  shape.insert(shape.begin(), static_cast<int64_t>(rows.size()));
  Tensor stacked = Alike(rows.front(), std::move(shape));
  std::byte* target = stacked.bytes();
  for (const Tensor& row : rows) {
    target = std::copy_n(row.bytes(), row.byte_size(), target);
  }
  return stacked;
}

Tensor Reversed(const Tensor& x) {
  Tensor reversed = Alike(x, x.shape());
  const size_t size = x.byte_size() / static_cast<size_t>(std::max<int64_t>(x.dim(0), 1));
  for (int64_t i = 0; i < x.dim(0); ++i) {
    std::copy_n(x.bytes() + static_cast<size_t>(i) * size, size,
                reversed.bytes() + static_cast<size_t>(x.dim(0) - 1 - i) * size);
  }
  return reversed;
}

Tensor Swapped(const Tensor& x) {
  Tensor swapped = Alike(x, {x.dim(1), x.dim(0), x.dim(2)});
  const size_t size = static_cast<size_t>(x.dim(2)) * ItemSize(x.dtype());
  for (int64_t i = 0; i < x.dim(0); ++i) {
    for (int64_t j = 0; j < x.dim(1); ++j) {
      std::copy_n(x.bytes() + static_cast<size_t>(i * x.dim(1) + j) * size, size,
                  swapped.bytes() + static_cast<size_t>(j * x.dim(0) + i) * size);
    }
  }
  return swapped;
}

Tensor Joined(const Tensor& x, const Tensor& y, int axis) {
  Shape shape = x.shape();
  shape[static_cast<size_t>(axis)] += y.dim(axis);
  Tensor joined = Alike(x, std::move(shape));
  int64_t outer = 1;
  for (int i = 0; i < axis; ++i) outer *= x.dim(i);
  const size_t rows = static_cast<size_t>(std::max<int64_t>(outer, 1));
  const size_t left = x.byte_size() / rows;
  const size_t right = y.byte_size() / rows;
  std::byte* target = joined.bytes();
  for (size_t row = 0; row < rows; ++row) {
    target = std::copy_n(x.bytes() + row * left, left, target);
    target = std::copy_n(y.bytes() + row * right, right, target);
  }
  return joined;
}

}  // namespace qconform
