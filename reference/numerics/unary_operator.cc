// Operators of one element: RELU, CLAMP, SIGMOID and their kin.
#include "reference/numerics/activation_function.h"
#include "reference/numerics/quantize_value.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

bool ClampsCodes(qc_operator_kind kind) {
  return kind == QC_RELU || kind == QC_RELU6 || kind == QC_CLAMP;
}

std::vector<std::string> Schemes(const ScalarCall& call) {
  if (ClampsCodes(call.kind) && call.x().quantized_axis < 0) return CopyOrReal(call);
  return {kRealSchemeName};
}

// Bounds of real values become bounds of codes: max(code, zero point), not
// max(code, 0).
void ClampCodes(const ScalarCall& call) {
  std::vector<int32_t> codes = ReadIntegers(call.x());
  CodeBounds bounds = BoundsOf(call.y());
  const float reciprocal = ReciprocalScale(ScaleAt(call.y()));
  const auto code_of = [&](float bound) {
    return QuantizeSaturating(bound, reciprocal, ZeroPointAt(call.y()), bounds.min,
                              bounds.max);
  };
  const float low = call.kind == QC_CLAMP ? call.attributes.minimum : 0.0f;
  const float high = call.kind == QC_CLAMP ? call.attributes.maximum : 6.0f;
  const int32_t low_code = code_of(low);
  const int32_t high_code = call.kind == QC_RELU ? bounds.max : code_of(high);
  for (int32_t& code : codes) {
    if (code < low_code) code = low_code;
    if (code > high_code) code = high_code;
  }
  WriteIntegers(call.y(), codes);
}

void Run(const ScalarCall& call) {
  if (call.scheme.copy && IsQuantized(call.x())) return ClampCodes(call);
  std::vector<float> values = ReadReal(call.x());
  const auto n = static_cast<int64_t>(values.size());
#pragma omp parallel for if (n > 4096)
  for (int64_t i = 0; i < n; ++i) {
    float& value = values[static_cast<size_t>(i)];
    value = ApplyActivation(call.kind, call.attributes, value);
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& UnaryFamily() {
  static constexpr OperatorFamily kFamily{CheckSameShape, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
