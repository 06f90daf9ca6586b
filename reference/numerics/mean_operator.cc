// MEAN over the axes of a mask, summed in float32 in torch's order (cascade_sum.h).
#include "reference/numerics/cascade_sum.h"
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

// The elements with the reduced axes moved last, in order.
std::vector<float> ReducedLast(const ScalarCall& call, const std::vector<float>& values) {
  const qc_tensor& x = call.x();
  std::vector<int64_t> steps(static_cast<size_t>(x.rank));
  int64_t step = 1;
  for (const bool reduced : {true, false}) {
    for (int i = x.rank - 1; i >= 0; --i) {
      if (IsReduced(call, i) != reduced) continue;
      steps[static_cast<size_t>(i)] = step;
      step *= x.shape[i];
    }
  }
  std::vector<float> moved(values.size());
  std::vector<int64_t> index(static_cast<size_t>(x.rank), 0);
  for (const float value : values) {
    int64_t at = 0;
    for (size_t i = 0; i < index.size(); ++i) at += index[i] * steps[i];
    moved[static_cast<size_t>(at)] = value;
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < x.shape[i]) break;
      index[i] = 0;
    }
  }
  return moved;
}

void Run(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const std::vector<float> values = ReadReal(x);
  std::vector<float> means(static_cast<size_t>(ElementCount(call.y())));
  int axis = 0;
  while (axis < x.rank && !IsReduced(call, axis)) ++axis;
  const bool one_axis = call.attributes.axis_mask == 1u << axis;
  int64_t width = 1;
  for (int i = 0; i < x.rank; ++i) width *= IsReduced(call, i) ? x.shape[i] : 1;
  int64_t inner = 1;
  for (int i = axis + 1; i < x.rank; ++i) inner *= x.shape[i];
  const auto kept = static_cast<int64_t>(means.size());
  if (one_axis && inner > 1) {
    for (int64_t at = 0; at < kept; at += inner) {
      SumColumns(values.data() + at * width, width, inner, means.data() + at);
    }
  } else {
    const std::vector<float> rows = ReducedLast(call, values);
    for (int64_t i = 0; i < kept; ++i) {
      means[static_cast<size_t>(i)] = SumRow(rows.data() + i * width, width);
    }
  }
  for (float& mean : means) mean /= static_cast<float>(width);
  WriteReal(call.y(), means, call.scheme);
}

}  // namespace

const OperatorFamily& MeanFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
