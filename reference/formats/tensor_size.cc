#include "reference/formats/tensor_size.h"

namespace qconform {

std::optional<uint64_t> CheckedByteSize(const Shape& shape, DType dtype) {
  constexpr uint64_t kMost = uint64_t{1} << 47;
  uint64_t nonzero = ItemSize(dtype);
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0 || static_cast<uint64_t>(size) > kMost) return std::nullopt;
    if (size == 0) {
      empty = true;
      continue;
    }
    if (nonzero > kMost / static_cast<uint64_t>(size)) return std::nullopt;
    nonzero *= static_cast<uint64_t>(size);
  }
  return empty ? 0 : nonzero;
}

}  // namespace qconform
