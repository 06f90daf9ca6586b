// The rows of a StridedLoop cut into pieces, so that threads and the kernels' buffers get
// some of a long row.
#ifndef QCONFORM_KERNELS_LAYOUT_ROW_PIECES_H_
#define QCONFORM_KERNELS_LAYOUT_ROW_PIECES_H_

#include <algorithm>
#include <cstdint>

#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

template <int kTensors>
class RowPieces {
 public:
  using Strides = typename StridedLoop<kTensors>::Strides;

  // `loop` must outlive it. longest: elements of a piece, at least 1.
  RowPieces(const StridedLoop<kTensors>& loop, int64_t longest)
      : loop_(loop),
        longest_(longest),
        of_row_((loop.RowLength() + longest - 1) / longest) {}

  int64_t count() const { return loop_.Rows() * of_row_; }

  struct Piece {
    Strides offset;  // bytes from each tensor's first element
    int64_t length;
  };
  Piece At(int64_t index) const {
    const int64_t begin = index % of_row_ * longest_;
    Piece piece{loop_.Offset(index / of_row_),
                std::min(longest_, loop_.RowLength() - begin)};
    for (int t = 0; t < kTensors; ++t) piece.offset[t] += begin * loop_.RowStride()[t];
    return piece;
  }

 private:
  const StridedLoop<kTensors>& loop_;
  int64_t longest_, of_row_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_ROW_PIECES_H_
