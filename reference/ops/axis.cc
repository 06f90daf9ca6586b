#include "reference/ops/axis.h"

#include <algorithm>
#include <cstring>

namespace qconform {

int NormalizeAxis(int64_t axis, int rank, const Call& call) {
  const int64_t count = std::max(rank, 1);
  if (axis < -count || axis >= count) {
    call.Fail("axis " + std::to_string(axis),
              std::to_string(-count) + " to " + std::to_string(count - 1));
  }
  return static_cast<int>(axis < 0 ? axis + count : axis);
}

std::vector<int> NormalizeAxes(const std::vector<int64_t>& axes, int rank,
                               const Call& call) {
  std::vector<int> result;
  for (int64_t axis : axes) result.push_back(NormalizeAxis(axis, rank, call));
  if (axes.empty()) {
    for (int axis = 0; axis < rank; ++axis) result.push_back(axis);
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    call.Fail("an axis is named twice", "distinct axes");
  }
  return result;
}

AxisView ViewAlong(const Shape& shape, int axis) {
  AxisView view;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i) {
    const int64_t size = shape[static_cast<size_t>(i)];
    if (i < axis) view.outer *= size;
    if (i == axis) view.size = size;
    if (i > axis) view.inner *= size;
  }
  return view;
}

Tensor Permute(const Tensor& tensor, const std::vector<int>& order) {
  const size_t rank = order.size();
  std::vector<int64_t> source_strides(rank, 1);
  for (size_t i = rank; i-- > 1;) {
    source_strides[i - 1] = source_strides[i] * tensor.shape()[i];
  }
  Shape shape(rank);
  std::vector<int64_t> strides(rank);
  for (size_t i = 0; i < rank; ++i) {
    shape[i] = tensor.dim(order[i]);
    strides[i] = source_strides[static_cast<size_t>(order[i])];
  }
  Tensor result(tensor.dtype(), shape);
  if (tensor.quantization()) {
    QuantizationParameters parameters = *tensor.quantization();
    const auto moved = std::find(order.begin(), order.end(), parameters.axis);
    if (parameters.axis >= 0) parameters.axis = static_cast<int>(moved - order.begin());
    result.set_quantization(std::move(parameters));
  }
  const size_t item = ItemSize(tensor.dtype());
  const int64_t total = tensor.numel();
  std::vector<int64_t> index(rank, 0);
  int64_t source = 0;
  for (int64_t i = 0; i < total; ++i) {
    std::memcpy(result.bytes() + static_cast<size_t>(i) * item,
                tensor.bytes() + static_cast<size_t>(source) * item, item);
    for (size_t axis = rank; axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < shape[axis]) break;
      source -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Tensor Narrow(const Tensor& tensor, int axis, int64_t begin, int64_t length) {
  Shape shape = tensor.shape();
  shape[static_cast<size_t>(axis)] = length;
  const AxisView view = ViewAlong(tensor.shape(), axis);
  Tensor result(tensor.dtype(), std::move(shape));
  if (tensor.quantization()) {
    QuantizationParameters parameters = *tensor.quantization();
    if (parameters.axis == axis) {
      for (auto* values : {&parameters.scale, &parameters.zero_point}) {
        *values = {values->begin() + begin, values->begin() + begin + length};
      }
    }
    result.set_quantization(std::move(parameters));
  }
  const size_t run = static_cast<size_t>(view.inner) * ItemSize(tensor.dtype());
  if (result.numel() == 0) return result;
  for (int64_t o = 0; o < view.outer; ++o) {
    std::memcpy(result.bytes() + static_cast<size_t>(o * length) * run,
                tensor.bytes() + static_cast<size_t>(o * view.size + begin) * run,
                static_cast<size_t>(length) * run);
  }
  return result;
}

Tensor AddLeadingAxis(const Tensor& tensor) {
  Shape shape = tensor.shape();
  shape.insert(shape.begin(), 1);
  return tensor.Reshaped(std::move(shape));
}

Tensor DropLeadingAxis(const Tensor& tensor) {
  return tensor.Reshaped({tensor.shape().begin() + 1, tensor.shape().end()});
}

}  // namespace qconform
