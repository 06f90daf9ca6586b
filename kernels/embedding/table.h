// A table of an embedding: where its rows lie and what their elements are worth.
#ifndef QCONFORM_KERNELS_EMBEDDING_TABLE_H_
#define QCONFORM_KERNELS_EMBEDDING_TABLE_H_

#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/embedding/row_kernel.h"

namespace qconform::kernels {

class EmbeddingTable {
 public:
  // Columns that are looked up at once.
  static constexpr int64_t kChunk = 1024;

  // f32, u8, s8 or u4; its data come with each call. Scales and zero points are
  // copied.
  explicit EmbeddingTable(const qc_tensor& table);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  RowValues values() const { return values_; }
  bool is_signed() const { return is_signed_; }

  const RowNumbers& Numbers(int64_t row) const {
    return numbers_[numbers_.size() == 1 ? 0 : static_cast<size_t>(row)];
  }

  // What a RowKernel takes: columns [first, first + count) of a row side by side, there
  // or in `room`. count is at most kChunk, first a multiple of it.
  const void* Columns(const void* data, int64_t row, int64_t first, int64_t count,
                      float* room) const {
    const auto* const at = static_cast<const uint8_t*>(data) + row * row_stride_;
    return dense_ ? at + first * element_bytes_ : Gather(at, first, count, room);
  }

  // Asks the caches for them and for the row's numbers.
  void Prefetch(const void* data, int64_t row, int64_t first, int64_t count) const;

 private:
  void GatherCodes(const uint8_t* row, int64_t first, int64_t count, uint8_t* to) const;
  const void* Gather(const uint8_t* row, int64_t first, int64_t count, float* room) const;

  int64_t rows_, columns_;
  int64_t row_stride_, stride_;  // bytes; of a pair where packed
  int64_t element_bytes_;
  bool is_signed_;
  bool packed_;
  bool dense_;  // elements side by side, as they are
  RowValues values_;
  std::vector<RowNumbers> numbers_;  // one, or one a row
  // Of a table that is quantized by columns, which are dequantized on the way.
  std::vector<RowNumbers> of_column_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_EMBEDDING_TABLE_H_
