#include "conformance/metamorphic/dense_tensor.h"

#include <algorithm>
#include <cstring>

namespace qconform {
namespace {

template <typename T>
void GatherQparams(std::vector<T>& values, const Order& order) {
  if (values.size() < 2) return;
  std::vector<T> gathered;
  for (const int64_t index : order)
    gathered.push_back(values[static_cast<size_t>(index)]);
  values = std::move(gathered);
}

int64_t Inner(const Shape& shape, int axis) {
  int64_t inner = 1;
  for (size_t d = static_cast<size_t>(axis) + 1; d < shape.size(); ++d) inner *= shape[d];
  return inner;
}

// What real zero is in the tensor's dtype.
std::vector<std::byte> ZeroElement(const CallTensor& tensor) {
  std::vector<std::byte> element(AbiItemSize(tensor.dtype));
  const int32_t zero = tensor.zero_point.empty() ? 0 : tensor.zero_point[0];
  if (!tensor.scale.empty()) std::memcpy(element.data(), &zero, element.size());
  return element;
}

}  // namespace

Order SecondHalf(int64_t size) {
  Order order;
  for (int64_t i = size / 2; i < size; ++i) order.push_back(i);
  return order;
}

Order ReversedWithin(int64_t size, int64_t groups) {
  Order order;
  const int64_t width = size / groups;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t i = width; i-- > 0;) order.push_back(g * width + i);
  return order;
}

Order ReversedGroups(int64_t size, int64_t groups) {
  Order order;
  const int64_t width = size / groups;
  for (int64_t g = groups; g-- > 0;)
    for (int64_t i = 0; i < width; ++i) order.push_back(g * width + i);
  return order;
}

CallTensor Gathered(const CallTensor& tensor, int axis, const Order& order) {
  CallTensor result = tensor;
  const auto at = static_cast<size_t>(axis);
  const int64_t size = tensor.shape[at];
  result.shape[at] = static_cast<int64_t>(order.size());
  if (tensor.axis == axis) {
    GatherQparams(result.scale, order);
    GatherQparams(result.zero_point, order);
    GatherQparams(result.zero_point_f32, order);
  }
  if (tensor.data.empty()) return result;
  const auto slice =
      static_cast<size_t>(Inner(tensor.shape, axis)) * AbiItemSize(tensor.dtype);
  const size_t plane = static_cast<size_t>(size) * slice;
  result.data.clear();
  for (size_t first = 0; first < tensor.data.size(); first += plane) {
    for (const int64_t index : order) {
      const auto from =
          tensor.data.begin() +
          static_cast<std::ptrdiff_t>(first + static_cast<size_t>(index) * slice);
      result.data.insert(result.data.end(), from,
                         from + static_cast<std::ptrdiff_t>(slice));
    }
  }
  return result;
}

CallTensor WithAxesSwapped(const CallTensor& tensor, int a, int b) {
  CallTensor result = tensor;
  const auto first = static_cast<size_t>(a);
  const auto second = static_cast<size_t>(b);
  std::swap(result.shape[first], result.shape[second]);
  if (tensor.data.empty()) return result;
  const size_t item = AbiItemSize(tensor.dtype);
  std::vector<int64_t> place(tensor.shape.size());
  for (int64_t i = 0; i < NumElements(tensor.shape); ++i) {
    int64_t rest = i;
    for (size_t d = place.size(); d-- > 0;) {
      place[d] = rest % tensor.shape[d];
      rest /= tensor.shape[d];
    }
    std::swap(place[first], place[second]);
    int64_t to = 0;
    for (size_t d = 0; d < place.size(); ++d) to = to * result.shape[d] + place[d];
    std::memcpy(&result.data[static_cast<size_t>(to) * item],
                &tensor.data[static_cast<size_t>(i) * item], item);
  }
  return result;
}

CallTensor PaddedWithZeroPoint(const CallTensor& tensor, int axis, int64_t before,
                               int64_t after) {
  CallTensor result = tensor;
  result.shape[static_cast<size_t>(axis)] += before + after;
  if (tensor.data.empty()) return result;
  const std::vector<std::byte> zero = ZeroElement(tensor);
  const auto inner = static_cast<size_t>(Inner(tensor.shape, axis));
  const size_t plane =
      static_cast<size_t>(tensor.shape[static_cast<size_t>(axis)]) * inner * zero.size();
  const auto add_zeros = [&](int64_t slices) {
    for (size_t i = 0; i < static_cast<size_t>(slices) * inner; ++i)
      result.data.insert(result.data.end(), zero.begin(), zero.end());
  };
  result.data.clear();
  for (size_t first = 0; first < tensor.data.size(); first += plane) {
    add_zeros(before);
    const auto from = tensor.data.begin() + static_cast<std::ptrdiff_t>(first);
    result.data.insert(result.data.end(), from,
                       from + static_cast<std::ptrdiff_t>(plane));
    add_zeros(after);
  }
  return result;
}

CallTensor WithData(const CallTensor& tensor, const std::vector<std::byte>& data) {
  CallTensor result = tensor;
  result.data = data;
  return result;
}

void Double(CallTensor& tensor) {
  for (float& scale : tensor.scale) scale *= 2;
  if (tensor.dtype != QC_F32) return;
  for (size_t at = 0; at < tensor.data.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, &tensor.data[at], sizeof value);
    value *= 2;
    std::memcpy(&tensor.data[at], &value, sizeof value);
  }
}

}  // namespace qconform
