// MATMUL of two activations: sums of products of codes in int32, or of dequantized ones.
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"

namespace qconform {
namespace {

// The dense index of matrix `batch` of a factor whose leading sizes may be 1.
int64_t MatrixIndex(const qc_tensor& factor, const qc_tensor& y, int64_t batch) {
  int64_t index = 0;
  int64_t step = 1;
  for (int i = y.rank - 3; i >= 0; --i) {
    if (factor.shape[i] != 1) index += batch % y.shape[i] * step;
    batch /= y.shape[i];
    step *= factor.shape[i];
  }
  return index;
}

// Integers: gamma_3 |y| for the sum to float32, the product of scales, their product.
// Floats: gamma_(n+2) sum |a| |b|, both dequantized, their product, n - 1 sums;
// ReadBounded holds the first two.
BoundedValues Products(const ScalarCall& call, bool integers) {
  const qc_tensor& y = call.y();
  const qc_tensor& b_tensor = *call.inputs[1];
  const BoundedValues a = ReadBounded(call.x());
  const BoundedValues b = ReadBounded(b_tensor);
  const int64_t rows = y.shape[y.rank - 2];
  const int64_t columns = y.shape[y.rank - 1];
  const int64_t depth = call.x().shape[y.rank - 1];
  BoundedValues values;
  const int64_t count = ElementCount(y);
  values.reserve(static_cast<size_t>(count));
  for (int64_t at = 0; at < count; ++at) {
    const int64_t batch = at / columns / rows;
    const Bounded* row = a.data() + MatrixIndex(call.x(), y, batch) * rows * depth +
                         at / columns % rows * depth;
    const Bounded* column =
        b.data() + MatrixIndex(b_tensor, y, batch) * depth * columns + at % columns;
    double exact = 0;
    BoundedSum sum;
    for (int64_t k = 0; k < depth; ++k) {
      exact += row[k].value * column[k * columns].value;
      if (!integers) sum.Add(Multiply(row[k], column[k * columns]));
    }
    values.push_back(integers ? Rounded(exact, 0, 3) : sum.Total());
  }
  return values;
}

}  // namespace

std::vector<ArithmeticBound> MatmulBounds(const ScalarCall& call) {
  const int64_t depth = call.x().shape[call.x().rank - 1];
  if (static_cast<double>(ElementCount(call.y())) * static_cast<double>(depth) >
      static_cast<double>(kMostProducts)) {
    return {};
  }
  const std::string inputs = "n = " + std::to_string(depth) + ", " + ScaleTexts(call);
  std::vector<ArithmeticBound> bounds;
  if (IsQuantized(call.x()) && IsQuantized(*call.inputs[1])) {
    bounds.push_back(
        RealBound(call, "int32 sums, float32 multiplier",
                  "e = gamma_3 |y|; in codes (e + gamma_2 (|y| + e)) / so + u |code|",
                  inputs, [call] { return Products(call, true); }));
  }
  bounds.push_back(RealBound(
      call, "float32 sums",
      "e = gamma_(n+2) sum |a| |b|; in codes (e + gamma_2 (|y| + e)) / so + u |code|",
      inputs, [call] { return Products(call, false); }));
  return bounds;
}

}  // namespace qconform
