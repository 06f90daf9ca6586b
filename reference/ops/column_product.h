// The matrix product under convolution, linear and matmul.
#ifndef QCONFORM_REFERENCE_OPS_COLUMN_PRODUCT_H_
#define QCONFORM_REFERENCE_OPS_COLUMN_PRODUCT_H_

#include <cstdint>
#include <vector>

namespace qconform {

// The summation order of every float32 product in this folder: products are added one
// by one in index order in float32 within blocks of kDepthBlock, the blocks' sums are
// added in order, the bias comes last. Nothing else (tile, thread, vector width) can
// change a bit, because vectors run over outputs only.
inline constexpr int64_t kDepthBlock = 256;

// For each group g, row r and column c:
//   out[g * out_group + r * out_row + out_column[c]] = bias[g * rows + r] +
//       sum over k of weight[(g * rows + r) * depth + k] *
//                     source[g * source_group + source_column[c] + source_depth[k]]
struct ColumnProduct {
  int64_t groups = 1;
  int64_t rows = 0;
  int64_t depth = 0;
  const float* weight = nullptr;
  const float* source = nullptr;
  int64_t source_group = 0;
  std::vector<int64_t> source_column;  // one a column
  std::vector<int64_t> source_depth;   // one a depth index
  const float* bias = nullptr;         // nullptr for none
  float* out = nullptr;
  int64_t out_group = 0;
  int64_t out_row = 0;
  std::vector<int64_t> out_column;  // one a column
};

// Fills `out`; uses all OpenMP threads.
void Multiply(const ColumnProduct& product);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_COLUMN_PRODUCT_H_
