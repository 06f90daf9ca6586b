// MEAN over the axes of a mask, in double in index order, rounded to float32 once.
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

bool IsReduced(const ScalarCall& call, int axis) {
  return (call.attributes.axis_mask >> axis & 1u) != 0;
}

std::string Check(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  if (x.rank < 32 && call.attributes.axis_mask >> x.rank != 0) {
    return "the mask names an axis that the input does not have";
  }
  std::vector<int64_t> shape;
  for (int i = 0; i < x.rank; ++i) {
    if (!IsReduced(call, i)) {
      shape.push_back(x.shape[i]);
    } else if (call.attributes.keep_dimensions != 0) {
      shape.push_back(1);
    }
  }
  if (shape != ShapeOf(call.y()))
    return "the output has another shape than the kept axes";
  const std::string objection = CheckValues(x, "the input");
  return objection.empty() ? CheckValues(call.y(), "the output") : objection;
}

void Run(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const std::vector<float> values = ReadReal(x);
  std::vector<double> sums(static_cast<size_t>(ElementCount(call.y())), 0.0);
  std::vector<int64_t> index(static_cast<size_t>(x.rank), 0);
  for (const float value : values) {
    size_t at = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (IsReduced(call, i)) continue;
      at = at * static_cast<size_t>(x.shape[i]) +
           static_cast<size_t>(index[static_cast<size_t>(i)]);
    }
    sums[at] += value;
    for (int i = x.rank - 1; i >= 0; --i) {
      if (++index[static_cast<size_t>(i)] < x.shape[i]) break;
      index[static_cast<size_t>(i)] = 0;
    }
  }
  const double count =
      sums.empty() ? 1.0 : static_cast<double>(values.size()) / sums.size();
  std::vector<float> means;
  for (const double sum : sums) means.push_back(static_cast<float>(sum / count));
  WriteReal(call.y(), means);
}

}  // namespace

const OperatorFamily& MeanFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
