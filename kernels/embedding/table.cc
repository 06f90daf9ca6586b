#include "kernels/embedding/table.h"

#include <cstring>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/embedding_table.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kCacheLine = 64;

RowNumbers NumbersOf(const qc_tensor& table, int64_t slice) {
  const auto i = static_cast<size_t>(slice);
  if (table.zero_point_f32 != nullptr) {
    const RowQparams row =
        RowQparamsOf(table.scale[i], table.zero_point_f32[i], IsPacked(table));
    return {row.scale, row.offset, 0};
  }
  return {ScaleAt(table, slice), 0.0f, ZeroPointAt(table, slice)};
}

// codes[k] of pairs that lie `stride` bytes apart.
[[gnu::always_inline]] inline void Unpack(const uint8_t* pairs, int64_t stride,
                                          int64_t count, uint8_t* codes) {
  for (int64_t k = 0; k < count / 2; ++k) {
    const uint8_t pair = pairs[k * stride];
    codes[2 * k] = pair & 15;
    codes[2 * k + 1] = pair >> 4;
  }
  if (count % 2 != 0) codes[count - 1] = pairs[count / 2 * stride] & 15;
}

}  // namespace

EmbeddingTable::EmbeddingTable(const qc_tensor& table)
    : rows_(table.shape[0]),
      columns_(table.shape[1]),
      row_stride_(table.stride[0]),
      stride_(table.stride[1]),
      element_bytes_(ElementBytes(table.dtype)),
      is_signed_(table.dtype == QC_S8),
      packed_(IsPacked(table)),
      dense_(!packed_ && (columns_ < 2 || stride_ == element_bytes_)) {
  if (IsReal(table)) {
    values_ = RowValues::kReal;
    // Floats off their boundary are copied.
    dense_ = dense_ && row_stride_ % static_cast<int64_t>(sizeof(float)) == 0;
    numbers_.emplace_back();
    return;
  }
  values_ = table.zero_point_f32 != nullptr ? RowValues::kFromOffset
                                            : RowValues::kFromZeroPoint;
  const int64_t slices = table.quantized_axis < 0 ? 1 : table.qparam_count;
  for (int64_t i = 0; i < slices; ++i) numbers_.push_back(NumbersOf(table, i));
  if (table.quantized_axis != 1) return;
  dense_ = false;
  values_ = RowValues::kReal;
  of_column_.swap(numbers_);
  numbers_.emplace_back();
}

void EmbeddingTable::GatherCodes(const uint8_t* row, int64_t first, int64_t count,
                                 uint8_t* to) const {
  if (!packed_) {
    for (int64_t k = 0; k < count; ++k) to[k] = row[(first + k) * stride_];
    return;
  }
  const uint8_t* const pairs = row + first / 2 * stride_;
  // The compiler makes vectors of pairs side by side.
  stride_ == 1 ? Unpack(pairs, 1, count, to) : Unpack(pairs, stride_, count, to);
}

const void* EmbeddingTable::Gather(const uint8_t* row, int64_t first, int64_t count,
                                   float* room) const {
  if (element_bytes_ == sizeof(float)) {
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(room + k, row + (first + k) * stride_, sizeof(float));
    return room;
  }
  if (of_column_.empty()) {
    GatherCodes(row, first, count, reinterpret_cast<uint8_t*>(room));
    return room;
  }
  uint8_t codes[kChunk];
  GatherCodes(row, first, count, codes);
  for (int64_t k = 0; k < count; ++k) {
    const RowNumbers& column = of_column_[static_cast<size_t>(first + k)];
    const int32_t code = is_signed_ ? static_cast<int8_t>(codes[k]) : int32_t{codes[k]};
    room[k] = DequantizeValue(code, column.zero_point, column.scale);
  }
  return room;
}

void EmbeddingTable::Prefetch(const void* data, int64_t row, int64_t first,
                              int64_t count) const {
  __builtin_prefetch(&Numbers(row));
  if (!dense_ && !(packed_ && stride_ == 1)) return;
  const auto* const at = static_cast<const uint8_t*>(data) + row * row_stride_;
  const int64_t per_byte = packed_ ? 2 : 1;
  const int64_t end = (first + count) * element_bytes_ / per_byte;
  for (int64_t i = first * element_bytes_ / per_byte; i < end; i += kCacheLine)
    __builtin_prefetch(at + i);
}

}  // namespace qconform::kernels
