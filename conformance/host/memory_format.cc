#include "conformance/host/memory_format.h"

#include <cstring>

#include "kernels/abi/qconform_backend.h"

namespace qconform {
namespace {

// Dimensions from outermost to innermost in memory.
std::vector<size_t> OrderOf(size_t rank, MemoryFormat format) {
  std::vector<size_t> order;
  const bool channels_last = format != MemoryFormat::kContiguous && rank >= 3;
  for (size_t i = 0; i < rank; ++i)
    if (!(channels_last && i == 1)) order.push_back(i);
  if (channels_last) order.push_back(1);
  return order;
}

// Calls visit(byte offset) for every element in row-major order.
template <typename Visit>
void ForEachOffset(const Shape& shape, const std::vector<int64_t>& strides, Visit visit) {
  const int64_t count = NumElements(shape);
  std::vector<int64_t> index(shape.size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (size_t d = shape.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
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
  }
  return "unknown";
}

std::vector<MemoryFormat> AllowedFormats(uint32_t bits, int rank) {
  std::vector<MemoryFormat> formats;
  const bool any = (bits & QC_ANY_STRIDE) != 0;
  if ((bits & QC_CONTIGUOUS) != 0 || any || bits == 0 || rank < 3)
    formats.push_back(MemoryFormat::kContiguous);
  if (((bits & QC_CHANNELS_LAST) != 0 || any) && rank >= 3)
    formats.push_back(MemoryFormat::kChannelsLast);
  if (any && rank >= 1) formats.push_back(MemoryFormat::kPadded);
  // Bits that nobody knows.
  if (formats.empty()) formats.push_back(MemoryFormat::kContiguous);
  return formats;
}

std::vector<int64_t> StridesOf(const Shape& shape, size_t item_size,
                               MemoryFormat format) {
  std::vector<int64_t> strides(shape.size(), 0);
  auto next = static_cast<int64_t>(item_size);
  const std::vector<size_t> order = OrderOf(shape.size(), format);
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = next;
    next *= shape[order[i]] > 0 ? shape[order[i]] : 1;
    // Three elements: no multiple of any vector's length.
    if (format == MemoryFormat::kPadded && i + 1 == order.size())
      next += 3 * static_cast<int64_t>(item_size);
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
  ForEachOffset(shape, strides, [&](int64_t offset) {
    std::memcpy(strided + offset, from, item_size);
    from += item_size;
  });
}

void Gather(const std::byte* strided, const Shape& shape,
            const std::vector<int64_t>& strides, size_t item_size,
            std::span<std::byte> dense) {
  std::byte* to = dense.data();
  ForEachOffset(shape, strides, [&](int64_t offset) {
    std::memcpy(to, strided + offset, item_size);
    to += item_size;
  });
}

}  // namespace qconform
