// MATMUL of two activations, [.., M, K] by [.., K, N], leading dimensions broadcast.
#include <algorithm>

#include "reference/numerics/activation_function.h"
#include "reference/numerics/requantize.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  const qc_tensor& a = call.x();
  const qc_tensor* b = call.input(1);
  const qc_tensor& y = call.y();
  if (b == nullptr) return "the second factor is missing";
  std::string objection = CheckValues(a, "input 0");
  if (objection.empty()) objection = CheckValues(*b, "input 1");
  if (objection.empty()) objection = CheckValues(y, "the output");
  if (!objection.empty()) return objection;
  if (a.rank < 2 || b->rank != a.rank || y.rank != a.rank) {
    return "the ranks are not equal and at least 2";
  }
  const int last = a.rank - 1;
  if (a.shape[last] != b->shape[last - 1] || y.shape[last - 1] != a.shape[last - 1] ||
      y.shape[last] != b->shape[last]) {
    return "the matrices do not fit";
  }
  for (int i = 0; i + 1 < last; ++i) {
    const int64_t size = a.shape[i] == 1 ? b->shape[i] : a.shape[i];
    if (y.shape[i] != size || (b->shape[i] != size && b->shape[i] != 1)) {
      return "the leading dimensions do not broadcast";
    }
  }
  return "";
}

// The dense index of matrix `batch` of a factor whose leading sizes may be 1.
int64_t MatrixOf(const qc_tensor& factor, const qc_tensor& y, int64_t batch) {
  int64_t index = 0;
  int64_t step = 1;
  for (int i = y.rank - 3; i >= 0; --i) {
    const int64_t at = batch % y.shape[i];
    batch /= y.shape[i];
    if (factor.shape[i] != 1) index += at * step;
    step *= factor.shape[i];
  }
  return index;
}

// Products in index order in blocks of 256, as reference/ops/column_product.h.
float Dot(const float* a, const float* b, int64_t depth, int64_t step) {
  constexpr int64_t kDepthBlock = 256;
  float sum = 0.0f;
  for (int64_t begin = 0; begin < depth; begin += kDepthBlock) {
    float block = 0.0f;
    for (int64_t k = begin; k < std::min(begin + kDepthBlock, depth); ++k) {
      block += a[k] * b[k * step];
    }
    sum = begin == 0 ? block : sum + block;
  }
  return sum;
}

void Run(const ScalarCall& call) {
  const qc_tensor& y = call.y();
  const std::vector<float> a = ReadReal(call.x());
  const std::vector<float> b = ReadReal(*call.input(1));
  std::vector<float> values(static_cast<size_t>(ElementCount(y)));
  const int64_t rows = y.shape[y.rank - 2];
  const int64_t columns = y.shape[y.rank - 1];
  const int64_t depth = call.x().shape[y.rank - 1];
  for (size_t at = 0; at < values.size(); ++at) {
    const auto index = static_cast<int64_t>(at);
    const int64_t batch = index / columns / rows;
    const float* row = a.data() + MatrixOf(call.x(), y, batch) * rows * depth +
                       index / columns % rows * depth;
    const float* column =
        b.data() + MatrixOf(*call.input(1), y, batch) * depth * columns + index % columns;
    values[at] = Dot(row, column, depth, columns);
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& MatmulFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
