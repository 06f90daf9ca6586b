#include "reference/native_operators/memory_format.h"

#include <algorithm>
#include <numeric>

namespace qconform {
namespace {

// Contiguous along the axes in this order, innermost first.
Strides StridesAlong(const Shape& shape, const std::vector<size_t>& order) {
  Strides strides(shape.size());
  int64_t step = 1;
  for (const size_t axis : order) {
    strides[axis] = step;
    step *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

std::vector<size_t> RowMajorOrder(size_t rank) {
  std::vector<size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

// Channels, the spatial axes from the last on, batch.
std::vector<size_t> ChannelsLastOrder(size_t rank) {
  std::vector<size_t> order = {1};
  for (size_t axis = rank - 1; axis > 1; --axis) order.push_back(axis);
  order.push_back(0);
  return order;
}

bool HasChannelsLast(const Shape& shape) {
  return shape.size() == 4 || shape.size() == 5;
}

// Equal but for the axes of one element.
bool AreAlike(const Placement& placement, const Strides& other) {
  for (size_t axis = 0; axis < other.size(); ++axis) {
    if (placement.shape[axis] != 1 && placement.strides[axis] != other[axis]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Strides RowMajorStrides(const Shape& shape) {
  return StridesAlong(shape, RowMajorOrder(shape.size()));
}

Strides ChannelsLastStrides(const Shape& shape) {
  return StridesAlong(shape, ChannelsLastOrder(shape.size()));
}

bool Placement::IsRowMajor() const { return AreAlike(*this, RowMajorStrides(shape)); }

bool Placement::IsChannelsLast() const {
  return HasChannelsLast(shape) && AreAlike(*this, ChannelsLastStrides(shape));
}

// (is_channels_last_strides_2d, is_channels_last_strides_3d)
bool Placement::SuggestsChannelsLast() const {
  if (!HasChannelsLast(shape) || strides[1] == 0) return false;
  int64_t least = 0;
  for (const size_t axis : ChannelsLastOrder(shape.size())) {
    if (shape[axis] == 0 || strides[axis] < least) return false;
    // A batch of row-major images of one channel or one pixel.
    if (axis == 0 && least == strides[1]) return false;
    least = strides[axis] * shape[axis];
  }
  return true;
}

bool Placement::IsDense() const {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [this](size_t a, size_t b) { return strides[a] < strides[b]; });
  return AreAlike(*this, StridesAlong(shape, order));
}

std::optional<Strides> Placement::ViewAs(const Shape& other) const {
  if (shape.empty()) return Strides(other.size(), 1);
  if (NumElements(shape) == 0) return RowMajorStrides(other);
  Strides result(other.size());
  size_t open = other.size();  // axes of `other` without a stride yet
  int64_t base = strides.back();
  int64_t chunk = 1;  // elements of the axes that follow each other without a gap
  int64_t seen = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    chunk *= shape[axis];
    const bool ends_chunk =
        axis == 0 || (shape[axis - 1] != 1 && strides[axis - 1] != chunk * base);
    if (!ends_chunk) continue;
    while (open > 0 && (seen < chunk || other[open - 1] == 1)) {
      --open;
      result[open] = seen * base;
      seen *= other[open];
    }
    if (seen != chunk) return std::nullopt;
    if (axis > 0) base = strides[axis - 1];
    chunk = 1;
    seen = 1;
  }
  if (open > 0) return std::nullopt;
  return result;
}

Placement Placement::AsImage() const {
  Placement image = *this;
  image.shape.insert(image.shape.end() - 1, 1);
  image.strides.insert(image.strides.end() - 1, shape.back() * strides.back());
  return image;
}

Placement MemoryFormats::Of(const Tensor& tensor) const {
  const auto found = kept_.find({tensor.bytes(), tensor.shape()});
  return {tensor.shape(),
          found == kept_.end() ? RowMajorStrides(tensor.shape()) : found->second.strides};
}

void MemoryFormats::Set(Tensor& tensor, const Strides& strides, const Tensor& source) {
  if (Of(tensor).strides == strides) return;
  const bool is_shared =
      tensor.bytes() == source.bytes() && tensor.shape() == source.shape();
  if (is_shared || kept_.count({tensor.bytes(), tensor.shape()}) > 0) {
    tensor = tensor.Clone();
  }
  if (strides == RowMajorStrides(tensor.shape())) return;
  kept_[{tensor.bytes(), tensor.shape()}] = {tensor, strides};
}

}  // namespace qconform
