// Codes moved between two tensors of any strides.
#ifndef QCONFORM_KERNELS_LAYOUT_CODE_MOVE_H_
#define QCONFORM_KERNELS_LAYOUT_CODE_MOVE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layout/byte_permutation.h"
#include "kernels/layout/code_lookup.h"

namespace qconform::kernels {

class CodeMove {
 public:
  // Strides in bytes, of any sign; from_stride 0 repeats.
  struct Axis {
    int64_t extent, from_stride, to_stride;
  };

  // Begins `from_offset` and `to_offset` bytes behind what Run is given.
  CodeMove(const std::vector<Axis>& axes, int64_t from_offset, int64_t to_offset);

  int64_t Codes() const;

  // The work in pieces that do not depend on each other, of some ten thousand codes.
  int64_t Items() const { return outer_items_ * row_items_ * piece_items_; }
  // table: what becomes of each byte, or nullptr.
  void Run(int64_t item, const uint8_t* from, uint8_t* to, const CodeLookup* table) const;

 private:
  void ChoosePermutation();
  void ChooseRows();
  void MoveRows(const uint8_t* from, uint8_t* to, int64_t row_count, int64_t count,
                const CodeLookup* table) const;

  std::vector<Axis> axes_;  // outermost first; at least two
  int64_t from_offset_, to_offset_;
  // The innermost axes, where they would be many short rows; axes_ are then the others
  // and two of one element.
  std::optional<BytePermutation> permutation_;
  // The last axis is innermost in `to`, the one before it in `from`.
  bool transposes_ = false;
  int64_t rows_ = 1, piece_ = 1;         // of an item
  int64_t outer_ = 0, outer_block_ = 1;  // of all outer axes together, of an item
  int64_t outer_items_ = 0, row_items_ = 0, piece_items_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_CODE_MOVE_H_
