#include "conformance/host/memory_format.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/abi/qconform_backend.h"

namespace qconform {
namespace {

constexpr int64_t kGap = 3;  // elements

// Dimensions from outermost to innermost in memory.
std::vector<size_t> OrderOf(size_t rank, MemoryFormat format) {
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  const bool channels_last =
      format == MemoryFormat::kChannelsLast || format == MemoryFormat::kPadded;
  if (channels_last && rank >= 3)
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  if (format == MemoryFormat::kPermuted) std::reverse(order.begin(), order.end());
  return order;
}

// How many of the innermost dimensions a gap follows.
size_t DenseDimensions(size_t rank, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::kPadded:
    case MemoryFormat::kRowGaps:
      return 1;
    case MemoryFormat::kPlaneGaps:
      return rank < 3 ? 1 : 2;
    case MemoryFormat::kImageGaps:
      return rank < 3 ? 1 : rank - 1;
    case MemoryFormat::kApart:
      return 0;
    case MemoryFormat::kContiguous:
    case MemoryFormat::kChannelsLast:
    case MemoryFormat::kPermuted:
      break;
  }
  return rank;
}

// Calls visit(byte offset, elements, step) for every row along the last dimension, in
// row-major order. A scalar is a row of one.
template <typename Visit>
void ForEachRow(const Shape& shape, const std::vector<int64_t>& strides, Visit visit) {
  if (shape.empty()) return visit(int64_t{0}, int64_t{1}, int64_t{0});
  const size_t last = shape.size() - 1;
  if (NumElements(shape) == 0) return;
  const int64_t rows = NumElements(shape) / shape[last];
  std::vector<int64_t> index(last, 0);
  int64_t offset = 0;
  for (int64_t row = 0; row < rows; ++row) {
    visit(offset, shape[last], strides[last]);
    for (size_t d = last; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

struct Place {
  std::byte* to;
  int64_t to_step;
  const std::byte* from;
  int64_t from_step;
};

void CopyRow(const Place& place, int64_t count, size_t item_size) {
  const auto item = static_cast<int64_t>(item_size);
  if (place.to_step == item && place.from_step == item) {
    std::memcpy(place.to, place.from, static_cast<size_t>(count) * item_size);
  } else if (item_size == 1) {
    for (int64_t i = 0; i < count; ++i)
      place.to[i * place.to_step] = place.from[i * place.from_step];
  } else {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(place.to + i * place.to_step, place.from + i * place.from_step,
                  item_size);
  }
}

}  // namespace

std::string MemoryFormatName(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::kContiguous:
      return "contiguous";
    case MemoryFormat::kChannelsLast:
      return "channels_last";
    case MemoryFormat::kPadded:
      return "padded";
    case MemoryFormat::kRowGaps:
      return "row_gaps";
    case MemoryFormat::kPlaneGaps:
      return "plane_gaps";
    case MemoryFormat::kImageGaps:
      return "image_gaps";
    case MemoryFormat::kPermuted:
      return "permuted";
    case MemoryFormat::kApart:
      return "apart";
  }
  return "unknown";
}

std::vector<MemoryFormat> StridedFormats(int rank) {
  std::vector<MemoryFormat> formats;
  if (rank >= 1) formats.push_back(MemoryFormat::kApart);
  if (rank >= 2) {
    formats.push_back(MemoryFormat::kRowGaps);
    formats.push_back(MemoryFormat::kPermuted);
  }
  if (rank >= 3) {
    formats.push_back(MemoryFormat::kPlaneGaps);
    formats.push_back(MemoryFormat::kPadded);
  }
  if (rank >= 4) formats.push_back(MemoryFormat::kImageGaps);
  return formats;
}

std::vector<MemoryFormat> AllowedFormats(uint32_t bits, int rank, MemoryFormat strided) {
  std::vector<MemoryFormat> formats;
  const bool any = (bits & QC_ANY_STRIDE) != 0;
  if ((bits & QC_CONTIGUOUS) != 0 || any || bits == 0 || rank < 3)
    formats.push_back(MemoryFormat::kContiguous);
  if (((bits & QC_CHANNELS_LAST) != 0 || any) && rank >= 3)
    formats.push_back(MemoryFormat::kChannelsLast);
  if (any && rank >= 1) formats.push_back(strided);
  // Bits that nobody knows.
  if (formats.empty()) formats.push_back(MemoryFormat::kContiguous);
  return formats;
}

std::vector<int64_t> StridesOf(const Shape& shape, size_t item_size,
                               MemoryFormat format) {
  std::vector<int64_t> strides(shape.size(), 0);
  const auto item = static_cast<int64_t>(item_size);
  const std::vector<size_t> order = OrderOf(shape.size(), format);
  const size_t dense = DenseDimensions(shape.size(), format);
  int64_t next = item;
  for (size_t inner = 0; inner < order.size(); ++inner) {
    if (inner == dense) next += kGap * item;
    const size_t d = order[order.size() - 1 - inner];
    strides[d] = next;
    next *= shape[d] > 0 ? shape[d] : 1;
  }
  return strides;
}

size_t ExtentOf(const Shape& shape, const std::vector<int64_t>& strides,
                size_t item_size) {
  if (NumElements(shape) == 0) return 0;
  size_t extent = item_size;
  for (size_t d = 0; d < shape.size(); ++d)
    extent += static_cast<size_t>((shape[d] - 1) * strides[d]);
  return extent;
}

void Scatter(std::span<const std::byte> dense, const Shape& shape,
             const std::vector<int64_t>& strides, size_t item_size, std::byte* strided) {
  const std::byte* from = dense.data();
  const auto item = static_cast<int64_t>(item_size);
  ForEachRow(shape, strides, [&](int64_t offset, int64_t count, int64_t step) {
    CopyRow({strided + offset, step, from, item}, count, item_size);
    from += count * item;
  });
}

void Gather(const std::byte* strided, const Shape& shape,
            const std::vector<int64_t>& strides, size_t item_size,
            std::span<std::byte> dense) {
  std::byte* to = dense.data();
  const auto item = static_cast<int64_t>(item_size);
  ForEachRow(shape, strides, [&](int64_t offset, int64_t count, int64_t step) {
    CopyRow({to, item, strided + offset, step}, count, item_size);
    to += count * item;
  });
}

}  // namespace qconform
