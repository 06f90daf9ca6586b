// A tensor of codes cut into rows that an operator reduces, each in torch's logical
// order.
#ifndef QCONFORM_KERNELS_LAYOUT_TENSOR_ROWS_H_
#define QCONFORM_KERNELS_LAYOUT_TENSOR_ROWS_H_

#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

// One dimension of x and y, bytes of u8 or s8.
struct RowDimension {
  int64_t extent;
  int64_t x_stride, y_stride;
  int64_t number = 0;  // what a step adds to the number of a row
};

class TensorRows {
 public:
  // outer: which row; inner: its elements, the outermost dimension first. At most
  // QC_MAX_RANK of each.
  TensorRows(const std::vector<RowDimension>& outer,
             const std::vector<RowDimension>& inner);

  int64_t count() const { return rows_.Rows() * rows_.RowLength(); }
  int64_t width() const { return width_; }

  struct Row {
    int64_t number;
    int64_t x_offset, y_offset;
  };
  // Rows of neighbouring indices lie beside each other as far as memory allows.
  Row At(int64_t index) const;

  // codes[r] becomes the codes of row first + r side by side, there or, copied, in room
  // (count * width() bytes).
  void Gather(const uint8_t* x, int64_t first, int64_t count, uint8_t* room,
              const uint8_t** codes) const;

  // to[r] becomes where to write the codes of row first + r: there or in room, from where
  // Scatter takes them.
  void Destinations(uint8_t* y, int64_t first, int64_t count, uint8_t* room,
                    uint8_t** to) const;
  void Scatter(const uint8_t* room, int64_t first, int64_t count, uint8_t* y) const;

 private:
  int64_t Together(int64_t Row::*offset, int64_t index, int64_t count,
                   int64_t& step) const;

  StridedLoop<3> rows_;                     // number, x, y
  StridedLoop<2> x_elements_, y_elements_;  // x or y, and the dense row
  int64_t width_;
  bool x_dense_, y_dense_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_TENSOR_ROWS_H_
