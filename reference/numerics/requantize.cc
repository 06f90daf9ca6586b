#include "reference/numerics/requantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qconform {

double RoundBy(double x, Scheme::Ties ties) {
  switch (ties) {
    case Scheme::Ties::kEven:
      return std::rint(x);
    case Scheme::Ties::kAway:
      return std::round(x);
    case Scheme::Ties::kUp: {
      const double below = std::floor(x);
      return x - below >= 0.5 ? below + 1.0 : below;
    }
  }
  return x;
}

int32_t RoundToInt32(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<int32_t>(std::clamp(
      std::rint(value), static_cast<double>(std::numeric_limits<int32_t>::min()),
      static_cast<double>(std::numeric_limits<int32_t>::max())));
}

ChannelRequantizer::ChannelRequantizer(const Scheme& scheme, float input_scale,
                                       float weight_scale, float output_scale,
                                       int32_t zero_point, std::optional<float> bias,
                                       std::optional<int32_t> bias_code)
    : scheme_(scheme),
      product_(input_scale * weight_scale),
      multiplier_(product_ / output_scale),
      zero_point_(zero_point) {
  if (scheme.multiplier == Scheme::Multiplier::kQ31) {
    fixed_point_ = ToFixedPoint(static_cast<double>(input_scale) *
                                static_cast<double>(weight_scale) /
                                static_cast<double>(output_scale));
  }
  if (bias_code) {
    // Under bias_f32 the code joins the accumulator in float32.
    bias_term_ = static_cast<float>(*bias_code);
    bias_codes_ = *bias_code;
  }
  if (bias) {
    real_bias_ = *bias;
    bias_term_ = *bias / product_;
    bias_codes_ = RoundToInt32(static_cast<double>(bias_term_));
  }
  if (scheme.bias == Scheme::Bias::kS32) {
    bias_term_ = 0.0f;
    real_bias_ = 0.0f;
  } else if (!bias_code) {
    bias_codes_ = 0;
  }
}

int32_t ChannelRequantizer::WithIntegerBias(int32_t accumulator) const {
  return static_cast<int32_t>(static_cast<uint32_t>(accumulator) +
                              static_cast<uint32_t>(bias_codes_));
}

int32_t ChannelRequantizer::Code(int32_t accumulator) const {
  if (scheme_.multiplier == Scheme::Multiplier::kQ31) {
    const int32_t sum = WithIntegerBias(accumulator);
    const int64_t scaled = scheme_.steps == Scheme::Steps::kOne
                               ? MultiplySingleRounding(sum, fixed_point_)
                               : MultiplyDoubleRounding(sum, fixed_point_);
    return RoundToInt32(static_cast<double>(scaled + zero_point_));
  }
  const float sum = scheme_.bias == Scheme::Bias::kS32
                        ? static_cast<float>(WithIntegerBias(accumulator))
                        : static_cast<float>(accumulator) + bias_term_;
  const float scaled = sum * multiplier_;
  if (scheme_.zero_point == Scheme::ZeroPoint::kBefore) {
    return RoundToInt32(RoundBy(scaled + static_cast<float>(zero_point_), scheme_.ties));
  }
  return RoundToInt32(RoundBy(scaled, scheme_.ties) + zero_point_);
}

float ChannelRequantizer::Real(int32_t accumulator) const {
  return std::fma(static_cast<float>(WithIntegerBias(accumulator)), product_, real_bias_);
}

}  // namespace qconform
