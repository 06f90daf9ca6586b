#include "kernels/embedding/indices.h"

#include <cstring>
#include <stdexcept>

#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {
namespace {

template <typename From, typename To>
void Copy(const qc_tensor& tensor, To* to) {
  std::array<int64_t, QC_MAX_RANK> dense = {};
  int64_t step = sizeof(To);
  for (int i = tensor.rank; i-- > 0;) {
    dense[static_cast<size_t>(i)] = step;
    step *= tensor.shape[i];
  }
  const StridedLoop<2> loop(tensor.shape, tensor.rank,
                            {BroadcastStrides(tensor, tensor), dense});
  const auto [from_stride, to_stride] = loop.RowStride();
  for (int64_t row = 0; row < loop.Rows(); ++row) {
    const auto [from_offset, to_offset] = loop.Offset(row);
    const auto* from = static_cast<const char*>(tensor.data) + from_offset;
    To* const at = to + to_offset / static_cast<int64_t>(sizeof(To));
    for (int64_t i = 0; i < loop.RowLength(); ++i) {
      From value;
      std::memcpy(&value, from + i * from_stride, sizeof value);
      at[i] = value;
    }
  }
}

}  // namespace

void ReadInOrder(const qc_tensor& tensor, int64_t* to) {
  tensor.dtype == QC_S64 ? Copy<int64_t>(tensor, to) : Copy<int32_t>(tensor, to);
}

void ReadInOrder(const qc_tensor& tensor, float* to) { Copy<float>(tensor, to); }

void CheckIndices(const int64_t* indices, int64_t count, int64_t rows) {
  bool outside = false;
  for (int64_t i = 0; i < count; ++i) outside |= indices[i] < 0 || indices[i] >= rows;
  if (outside) throw std::invalid_argument("an index is outside the table");
}

void CheckBounds(const int64_t* bounds, int64_t bags, int64_t indices) {
  int64_t before = 0;
  for (int64_t i = 0; i <= bags; ++i) {
    if (bounds[i] < before || bounds[i] > indices)
      throw std::invalid_argument("the offsets do not rise inside");
    before = bounds[i];
  }
  if (bags > 0 && bounds[0] != 0)
    throw std::invalid_argument("the first offset is not 0");
}

}  // namespace qconform::kernels
