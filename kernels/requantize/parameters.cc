#include "kernels/requantize/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/weighted_operator.h"

namespace qconform::kernels {
namespace {

// A bias that is not finite under a product of scales of zero makes every result NaN,
// whose code is 0 (before the clamp). The kernels know no NaN; this constant gives the
// same code: (accumulator + bias) * multiplier is -zero_point within a part in 2^22.
void AlwaysCodeZero(RequantizeParameters& parameters, size_t channel) {
  constexpr float kHuge = 1e30f;  // swallows every accumulator
  parameters.bias[channel] = kHuge;
  parameters.multiplier[channel] = -static_cast<float>(parameters.zero_point) / kHuge;
}

}  // namespace

void ActivationBounds(const qc_attributes& a, float& lowest, float& highest) {
  lowest = -std::numeric_limits<float>::infinity();
  highest = std::numeric_limits<float>::infinity();
  if (a.activation == QC_ACTIVATION_CLAMP) {
    lowest = a.activation_min;
    highest = a.activation_max;
  } else if (a.activation != QC_ACTIVATION_NONE) {
    lowest = 0.0f;
    if (a.activation == QC_ACTIVATION_RELU6) highest = 6.0f;
  }
}

WeightedConstants::WeightedConstants(const qc_tensor& w, int64_t channels,
                                     const qc_tensor* bias, const std::string& name)
    : scheme(*ParseScheme(name)) {
  const int64_t distinct = w.quantized_axis < 0 ? 1 : w.qparam_count;
  for (int64_t o = 0; o < channels; ++o) weight_scale.push_back(ScaleAt(w, o % distinct));
  if (bias == nullptr) return;
  if (bias->dtype == QC_S32) {
    bias_codes = ReadIntegers(*bias);
  } else {
    real_bias = ReadReal(*bias);
  }
}

void WeightedConstants::RealParameters(float input_scale, int32_t* start,
                                       float* multiplier, float* bias) const {
  for (size_t o = 0; o < weight_scale.size(); ++o) {
    const float product = input_scale * weight_scale[o];
    multiplier[o] = product;
    start[o] = bias_codes.empty() ? 0 : bias_codes[o];
    bias[o] = real_bias.empty() || RoundsBias() ? 0.0f : real_bias[o];
    if (RoundsBias() && !real_bias.empty())
      start[o] = RoundToInt32(static_cast<double>(real_bias[o] / product));
  }
}

RequantizeParameters WeightedConstants::Parameters(
    float input_scale, const qc_tensor& y, const qc_attributes& attributes) const {
  RequantizeParameters parameters;
  const size_t channels = weight_scale.size();
  parameters.start.assign(channels, 0);
  parameters.bias.assign(channels, 0.0f);
  parameters.multiplier.assign(channels, 0.0f);
  if (!IsQuantized(y)) {
    parameters.kind = y.dtype == QC_F32 ? ResultKind::kReal : ResultKind::kAccumulators;
    RealParameters(input_scale, parameters.start.data(), parameters.multiplier.data(),
                   parameters.bias.data());
    ActivationBounds(attributes, parameters.lower, parameters.upper);
    return parameters;
  }
  if (SchemeName(scheme) != kBiasF32Scheme && SchemeName(scheme) != kBiasS32Scheme)
    parameters.kind = ResultKind::kCodesOneByOne;
  const float output_scale = ScaleAt(y);
  parameters.zero_point = ZeroPointAt(y);
  for (size_t o = 0; o < channels; ++o) {
    const float product = input_scale * weight_scale[o];
    parameters.multiplier[o] = product / output_scale;
    if (!bias_codes.empty()) {
      if (RoundsBias()) {
        parameters.start[o] = bias_codes[o];
      } else {
        parameters.bias[o] = static_cast<float>(bias_codes[o]);
      }
    } else if (!real_bias.empty()) {
      const float term = real_bias[o] / product;
      if (RoundsBias()) {
        parameters.start[o] = RoundToInt32(static_cast<double>(term));
      } else {
        parameters.bias[o] = term;
      }
    }
    if (!std::isfinite(parameters.multiplier[o])) {
      parameters.kind = ResultKind::kCodesOneByOne;
    } else if (std::isnan(parameters.bias[o] * parameters.multiplier[o])) {
      AlwaysCodeZero(parameters, o);
    }
  }

  const CodeBounds fused = FusedBounds(attributes, y);
  if (parameters.kind == ResultKind::kCodesOneByOne) {
    parameters.start.assign(channels, 0);
    parameters.lowest = fused.min;
    parameters.highest = fused.max;
    for (size_t o = 0; o < channels; ++o) {
      std::optional<float> real;
      std::optional<int32_t> code;
      if (!real_bias.empty()) real = real_bias[o];
      if (!bias_codes.empty()) code = bias_codes[o];
      parameters.one_by_one.emplace_back(scheme, input_scale, weight_scale[o],
                                         output_scale, parameters.zero_point, real, code);
    }
    return parameters;
  }
  parameters.lower = static_cast<float>(fused.min - parameters.zero_point);
  parameters.upper = static_cast<float>(fused.max - parameters.zero_point);
  if (y.dtype == QC_S8) {
    parameters.zero_point += 128;
    parameters.flip = 0x80;
  }
  return parameters;
}

}  // namespace qconform::kernels
