// PRELU: x where it is positive, else x times the slope: one for all, or one for each
// channel (dimension 1).
//
// torch's own kernel multiplies a positive x by what 1 is in the slope's codes, which
// saturates where (255 - zero_point) * scale is below 1. Here the declared arithmetic
// holds: dequantize, compute, quantize.
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  std::string objection = CheckSameShape(call);
  if (!objection.empty()) return objection;
  const qc_tensor* slope = call.input(1);
  if (slope == nullptr) return "the slope is missing";
  objection = CheckValues(*slope, "the slope");
  if (!objection.empty()) return objection;
  const int64_t channels = call.x().rank > 1 ? call.x().shape[1] : 1;
  const int64_t slopes = ElementCount(*slope);
  if (slope->rank > 1 || (slopes != 1 && slopes != channels)) {
    return "the slope is neither one number nor one for each channel";
  }
  return CheckNoActivation(call);
}

void Run(const ScalarCall& call) {
  const std::vector<float> slopes = ReadReal(*call.input(1));
  std::vector<float> values = ReadReal(call.x());
  int64_t inner = 1;
  for (int i = 2; i < call.x().rank; ++i) inner *= call.x().shape[i];
  const auto count = static_cast<int64_t>(slopes.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0.0f) continue;
    values[i] *= slopes[static_cast<size_t>(static_cast<int64_t>(i) / inner % count)];
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& PreluFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
