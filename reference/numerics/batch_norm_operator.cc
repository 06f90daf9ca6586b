// BATCH_NORM with stored statistics: y = x * a + b, one rounding, where
// a = gamma / sqrt(variance + epsilon) and b = beta - mean * a in float32.
#include <cmath>

#include "reference/numerics/activation_function.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  std::string objection = CheckSameShape(call);
  if (!objection.empty()) return objection;
  if (call.x().rank < 2) return "the input has no channels";
  if (!DefinesFusedActivation(call.attributes)) return "the activation is not known";
  if (call.input(3) == nullptr || call.input(4) == nullptr) {
    return "mean or variance is missing";
  }
  for (size_t i = 1; i <= 4; ++i) {
    const qc_tensor* tensor = call.input(i);
    if (tensor == nullptr) continue;
    if (!IsReal(*tensor) || ShapeOf(*tensor) != std::vector<int64_t>{call.x().shape[1]}) {
      return "input " + std::to_string(i) + " is not f32 [channels]";
    }
  }
  return "";
}

std::vector<float> PerChannel(const qc_tensor* tensor, int64_t channels, float fallback) {
  if (tensor != nullptr) return ReadReal(*tensor);
  return std::vector<float>(static_cast<size_t>(channels), fallback);
}

void Run(const ScalarCall& call) {
  const int64_t channels = call.x().shape[1];
  std::vector<float> a = PerChannel(call.input(1), channels, 1.0f);
  std::vector<float> b = PerChannel(call.input(2), channels, 0.0f);
  const std::vector<float> mean = PerChannel(call.input(3), channels, 0.0f);
  const std::vector<float> variance = PerChannel(call.input(4), channels, 1.0f);
  for (size_t c = 0; c < a.size(); ++c) {
    a[c] *= 1.0f / std::sqrt(variance[c] + call.attributes.epsilon);
    b[c] = static_cast<float>(static_cast<double>(b[c]) -
                              static_cast<double>(mean[c]) * static_cast<double>(a[c]));
  }
  std::vector<float> values = ReadReal(call.x());
  int64_t inner = 1;
  for (int i = 2; i < call.x().rank; ++i) inner *= call.x().shape[i];
  for (size_t i = 0; i < values.size(); ++i) {
    const auto c = static_cast<size_t>(static_cast<int64_t>(i) / inner % channels);
    const double y = static_cast<double>(values[i]) * static_cast<double>(a[c]) +
                     static_cast<double>(b[c]);
    values[i] = ApplyFusedActivation(call.attributes, static_cast<float>(y));
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& BatchNormFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
