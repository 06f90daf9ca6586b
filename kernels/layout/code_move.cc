#include "kernels/layout/code_move.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/layout/copy_row.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kItemCodes = 1 << 14;

// Of a pixel shuffle: those of a tensor and two more.
constexpr int kMostAxes = QC_MAX_RANK + 2;

// Side of the squares that are transposed in registers.
constexpr int kSquare = 16;
using Bytes = uint8_t __attribute__((vector_size(kSquare)));

Bytes Load(const uint8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// Sixteen rows of sixteen bytes become columns. Interleaving row i with row i + 8 four
// times over is a transposition.
void TransposeSquare(const uint8_t* from, int64_t from_stride, uint8_t* to,
                     int64_t to_stride) {
  Bytes rows[kSquare], next[kSquare];
  for (int i = 0; i < kSquare; ++i) rows[i] = Load(from + i * from_stride);
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < 8; ++i) {
      next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3,
                                            19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] =
          __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12,
                                  28, 13, 29, 14, 30, 15, 31);
    }
    std::copy(next, next + kSquare, rows);
  }
  for (int i = 0; i < kSquare; ++i)
    std::memcpy(to + i * to_stride, &rows[i], sizeof rows[i]);
}

void MoveRow(const uint8_t* from, int64_t from_stride, uint8_t* to, int64_t to_stride,
             int64_t count, const CodeLookup* table) {
  if (table != nullptr && from_stride == 1 && to_stride == 1) {
    table->Row(from, to, count);
  } else if (table != nullptr) {
    for (int64_t i = 0; i < count; ++i)
      to[i * to_stride] = (*table)[from[i * from_stride]];
  } else if (from_stride == 1 && to_stride == 1) {
    CopyRow(from, to, count);
  } else if (from_stride == 0 && to_stride == 1) {
    std::memset(to, *from, static_cast<size_t>(count));
  } else if (from_stride == 2 && to_stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * 2];
  } else if (from_stride == 4 && to_stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * 4];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

// The codes of two rows in turn.
void Interleave(const uint8_t* __restrict even, const uint8_t* __restrict odd,
                int64_t count, uint8_t* __restrict to) {
  for (int64_t i = 0; i < count; ++i) {
    to[2 * i] = even[i];
    to[2 * i + 1] = odd[i];
  }
}

// A rectangle whose rows lie side by side in `from` and whose columns do in `to`:
// to[row + column * to_stride] = from[column + row * from_stride].
void Transpose(const uint8_t* from, int64_t from_stride, int64_t rows, int64_t columns,
               uint8_t* to, int64_t to_stride) {
  const int64_t whole_rows = rows / kSquare * kSquare;
  const int64_t whole_columns = columns / kSquare * kSquare;
  for (int64_t c = 0; c < whole_columns; c += kSquare)
    for (int64_t r = 0; r < whole_rows; r += kSquare)
      TransposeSquare(from + c + r * from_stride, from_stride, to + r + c * to_stride,
                      to_stride);
  // The rest, with the longer loop inside.
  const auto move = [&](int64_t r, int64_t r_end, int64_t c, int64_t c_end) {
    if (r_end - r >= c_end - c) {
      for (; c < c_end; ++c)
        MoveRow(from + c + r * from_stride, from_stride, to + r + c * to_stride, 1,
                r_end - r, nullptr);
    } else if (r_end - r == 2 && to_stride == 2) {
      Interleave(from + c + r * from_stride, from + c + (r + 1) * from_stride, c_end - c,
                 to + r + c * to_stride);
    } else {
      for (; r < r_end; ++r)
        MoveRow(from + c + r * from_stride, 1, to + r + c * to_stride, to_stride,
                c_end - c, nullptr);
    }
  };
  move(whole_rows, rows, 0, whole_columns);
  move(0, rows, whole_columns, columns);
}

// Whether the outer axis goes on where the inner one ends, on both sides.
bool Continues(const CodeMove::Axis& outer, const CodeMove::Axis& inner) {
  return outer.from_stride == inner.from_stride * inner.extent &&
         outer.to_stride == inner.to_stride * inner.extent;
}

}  // namespace

CodeMove::CodeMove(const std::vector<Axis>& axes, int64_t from_offset, int64_t to_offset)
    : from_offset_(from_offset), to_offset_(to_offset) {
  std::vector<Axis> sorted;
  for (const Axis& axis : axes) {
    if (axis.extent == 0) return;
    if (axis.extent > 1) sorted.push_back(axis);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Axis& a, const Axis& b) {
    return std::abs(a.to_stride) > std::abs(b.to_stride);
  });
  for (const Axis& axis : sorted) {
    if (!axes_.empty() && Continues(axes_.back(), axis)) {
      axes_.back() = {axes_.back().extent * axis.extent, axis.from_stride,
                      axis.to_stride};
    } else {
      axes_.push_back(axis);
    }
  }
  ChoosePermutation();
  while (axes_.size() < 2) axes_.insert(axes_.begin(), {1, 0, 0});
  ChooseRows();
}

// Axes that follow each other without a gap in `to`, but come from rows that are short or
// from every other code: a pixel and its channels, shuffled or unshuffled.
void CodeMove::ChoosePermutation() {
  constexpr int64_t kEnoughBytes = 256, kMostBytes = 4096;
  constexpr double kManyLoads = 8;
  if (axes_.empty() || axes_.back().to_stride != 1) return;
  const Axis row = axes_.back();
  const bool is_short = row.extent < kSquare;
  const bool has_squares = std::any_of(
      axes_.begin(), axes_.end() - 1,
      [](const Axis& axis) { return axis.from_stride == 1 && axis.extent >= kSquare; });
  if (!is_short && (has_squares || row.from_stride == 0 || row.from_stride == 1)) return;
  std::vector<int64_t> sources = {0};
  size_t rest = axes_.size();
  while (rest > 0 && static_cast<int64_t>(sources.size()) < kEnoughBytes) {
    const Axis& axis = axes_[rest - 1];
    const auto bytes = static_cast<int64_t>(sources.size());
    if (axis.to_stride != bytes || bytes * axis.extent > kMostBytes) break;
    for (int64_t k = 1; k < axis.extent; ++k)
      for (int64_t i = 0; i < bytes; ++i)
        sources.push_back(sources[static_cast<size_t>(i)] + k * axis.from_stride);
    --rest;
  }
  if (!BytePermutation::Takes(sources)) return;
  BytePermutation permutation(sources);
  if (permutation.LoadsOfVector() > kManyLoads) return;
  permutation_ = std::move(permutation);
  axes_.resize(rest);
  axes_.insert(axes_.end(), 2, {1, 0, 0});
}

// What is innermost in both tensors becomes the two innermost loops, so that a
// transposition can be done in squares.
void CodeMove::ChooseRows() {
  const auto dense = std::find_if(axes_.begin(), axes_.end() - 1,
                                  [](const Axis& axis) { return axis.from_stride == 1; });
  transposes_ = axes_.back().from_stride != 1 && axes_.back().to_stride == 1 &&
                dense != axes_.end() - 1;
  if (transposes_) std::rotate(dense, dense + 1, axes_.end() - 1);
  const Axis& rows = axes_[axes_.size() - 2];
  const Axis& row = axes_.back();
  piece_ = std::min(row.extent, transposes_ ? kSquare * kSquare : kItemCodes);
  rows_ = std::clamp<int64_t>(kItemCodes / piece_, 1, rows.extent);
  if (rows_ < rows.extent && rows_ > kSquare) rows_ = rows_ / kSquare * kSquare;
  outer_ = 1;
  for (size_t i = 0; i + 2 < axes_.size(); ++i) outer_ *= axes_[i].extent;
  const int64_t bytes = permutation_ ? permutation_->count() : piece_ * rows_;
  outer_block_ = std::clamp<int64_t>(kItemCodes / bytes, 1, outer_);
  outer_items_ = (outer_ + outer_block_ - 1) / outer_block_;
  row_items_ = (rows.extent + rows_ - 1) / rows_;
  piece_items_ = (row.extent + piece_ - 1) / piece_;
}

int64_t CodeMove::Codes() const {
  int64_t codes = outer_ == 0 ? 0 : permutation_ ? permutation_->count() : 1;
  for (const Axis& axis : axes_) codes *= axis.extent;
  return codes;
}

void CodeMove::Run(int64_t item, const uint8_t* from, uint8_t* to,
                   const CodeLookup* table) const {
  const Axis& rows = axes_[axes_.size() - 2];
  const Axis& row = axes_.back();
  const int64_t first = item % piece_items_ * piece_;
  item /= piece_items_;
  const int64_t first_row = item % row_items_ * rows_;
  item /= row_items_;
  from += from_offset_ + first * row.from_stride + first_row * rows.from_stride;
  to += to_offset_ + first * row.to_stride + first_row * rows.to_stride;
  const int64_t count = std::min(piece_, row.extent - first);
  const int64_t row_count = std::min(rows_, rows.extent - first_row);
  const auto depth = static_cast<int>(axes_.size()) - 2;
  int64_t index[kMostAxes] = {};
  int64_t at = item * outer_block_;
  const int64_t end = std::min(at + outer_block_, outer_);
  int64_t rest = at;
  for (int i = depth - 1; i >= 0; --i) {
    const Axis& axis = axes_[static_cast<size_t>(i)];
    index[i] = rest % axis.extent;
    rest /= axis.extent;
    from += index[i] * axis.from_stride;
    to += index[i] * axis.to_stride;
  }
  while (true) {
    MoveRows(from, to, row_count, count, table);
    if (++at == end) return;
    for (int i = depth - 1; i >= 0; --i) {
      const Axis& axis = axes_[static_cast<size_t>(i)];
      from += axis.from_stride;
      to += axis.to_stride;
      if (++index[i] < axis.extent) break;
      index[i] = 0;
      from -= axis.extent * axis.from_stride;
      to -= axis.extent * axis.to_stride;
    }
  }
}

void CodeMove::MoveRows(const uint8_t* from, uint8_t* to, int64_t row_count,
                        int64_t count, const CodeLookup* table) const {
  if (permutation_) {
    permutation_->Run(from, to);
    if (table != nullptr) table->Row(to, to, permutation_->count());
    return;
  }
  const Axis& rows = axes_[axes_.size() - 2];
  const Axis& row = axes_.back();
  if (table == nullptr && transposes_)
    return Transpose(from, row.from_stride, count, row_count, to, rows.to_stride);
  // Very short rows are many: the other loop is the inner one then.
  if (row.extent < 8 && rows.extent > row.extent) {
    for (int64_t i = 0; i < count; ++i)
      MoveRow(from + i * row.from_stride, rows.from_stride, to + i * row.to_stride,
              rows.to_stride, row_count, table);
    return;
  }
  for (int64_t i = 0; i < row_count; ++i)
    MoveRow(from + i * rows.from_stride, row.from_stride, to + i * rows.to_stride,
            row.to_stride, count, table);
}

}  // namespace qconform::kernels
