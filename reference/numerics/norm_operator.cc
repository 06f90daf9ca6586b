// INSTANCE_NORM, GROUP_NORM, LAYER_NORM: by the input's own statistics
// (row_normalization.h). Instance norm is group norm with a group for each channel.
//
// torch's own kernel sums codes, not real values; its code may lie one beside this one.
#include <algorithm>

#include "reference/numerics/activation_function.h"
#include "reference/numerics/row_normalization.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

int64_t Groups(const ScalarCall& call) {
  return call.kind == QC_INSTANCE_NORM ? call.x().shape[1] : call.attributes.group_count;
}

std::string CheckGroups(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const int least = call.kind == QC_INSTANCE_NORM ? 3 : 2;
  if (x.rank < least)
    return "the input has fewer than " + std::to_string(least) + " dimensions";
  if (call.kind == QC_INSTANCE_NORM) return "";
  const int64_t groups = call.attributes.group_count;
  return groups < 1 || x.shape[1] % groups != 0
             ? "the channels do not divide into the groups"
             : "";
}

std::string CheckLayer(const ScalarCall& call) {
  const int64_t axis = call.attributes.axis;
  return axis < 0 || axis >= call.x().rank ? "the axis is outside the input" : "";
}

// Of gamma and beta.
std::vector<int64_t> ParameterShape(const ScalarCall& call) {
  const std::vector<int64_t> shape = ShapeOf(call.x());
  if (call.kind != QC_LAYER_NORM) return {shape[1]};
  return {shape.begin() + call.attributes.axis, shape.end()};
}

std::string Check(const ScalarCall& call) {
  std::string objection = CheckSameShape(call);
  if (!objection.empty()) return objection;
  if (!DefinesFusedActivation(call.attributes)) return "the activation is not known";
  objection = call.kind == QC_LAYER_NORM ? CheckLayer(call) : CheckGroups(call);
  if (!objection.empty()) return objection;
  for (size_t i = 1; i <= 2; ++i) {
    const qc_tensor* parameter = call.input(i);
    if (parameter == nullptr) continue;
    if (!IsReal(*parameter) || ShapeOf(*parameter) != ParameterShape(call)) {
      return "input " + std::to_string(i) + " is not f32 of the normalized shape";
    }
  }
  if (call.input(3) != nullptr || call.input(4) != nullptr) {
    return "mean and variance are given, but the input's own are taken";
  }
  return "";
}

void Run(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  std::vector<float> values = ReadReal(x);
  RowNormalization norm;
  norm.epsilon = call.attributes.epsilon;
  std::vector<float> gamma;
  std::vector<float> beta;
  if (call.input(1) != nullptr) norm.gamma = (gamma = ReadReal(*call.input(1))).data();
  if (call.input(2) != nullptr) norm.beta = (beta = ReadReal(*call.input(2))).data();
  const bool layer = call.kind == QC_LAYER_NORM;
  int64_t plane = 1;  // elements from the normalized axis on, or of one channel
  for (int i = layer ? static_cast<int>(call.attributes.axis) : 2; i < x.rank; ++i) {
    plane *= x.shape[i];
  }
  const int64_t groups = layer ? 1 : Groups(call);
  const int64_t channels = layer || groups == 0 ? 1 : x.shape[1] / groups;
  norm.width = channels * plane;
  if (norm.width > 0) norm.rows = static_cast<int64_t>(values.size()) / norm.width;
  if (layer) {
    norm.Run(values.data(), values.data(), [](int64_t, int64_t i) { return i; });
  } else {
    norm.Run(values.data(), values.data(),
             [=](int64_t row, int64_t i) { return row % groups * channels + i / plane; });
  }
  for (float& value : values) value = ApplyFusedActivation(call.attributes, value);
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& NormFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
