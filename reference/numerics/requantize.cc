#include "reference/numerics/requantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qconform {

double RoundBy(double x, Scheme::Ties ties) {
  if (ties == Scheme::Ties::kEven) return std::rint(x);
  const double below = std::floor(x);
  switch (ties) {
    case Scheme::Ties::kEven:
      break;
    case Scheme::Ties::kAway:
      return std::round(x);
    case Scheme::Ties::kUp:
    case Scheme::Ties::kUpTwice:
      return x - below >= 0.5 ? below + 1.0 : below;
    case Scheme::Ties::kDown:
      return -RoundBy(-x, Scheme::Ties::kUp);
    case Scheme::Ties::kTowardZero:
      return RoundBy(x, x < 0 ? Scheme::Ties::kUp : Scheme::Ties::kDown);
    case Scheme::Ties::kTruncate:
      return std::trunc(x);
    case Scheme::Ties::kFloor:
      return below;
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
      reciprocal_(1.0f / output_scale),
      exact_product_(static_cast<double>(input_scale) *
                     static_cast<double>(weight_scale)),
      exact_multiplier_(exact_product_ / static_cast<double>(output_scale)),
      zero_point_(zero_point) {
  if (scheme.multiplier == Scheme::Multiplier::kQ31 ||
      scheme.multiplier == Scheme::Multiplier::kQ15) {
    fixed_point_ = ToFixedPoint(exact_multiplier_);
    if (scheme.multiplier == Scheme::Multiplier::kQ15) {
      fixed_point_ = To15Bits(fixed_point_);
    }
  }
  if (bias_code) {
    // Under bias_f32 the code joins the accumulator in float32.
    bias_term_ = static_cast<float>(*bias_code);
    scaled_bias_ = bias_term_ * product_;
    exact_bias_term_ = *bias_code;
    bias_codes_ = *bias_code;
  }
  if (bias) {
    real_bias_ = *bias;
    scaled_bias_ = *bias;
    bias_term_ = *bias / product_;
    exact_bias_term_ = static_cast<double>(*bias) / exact_product_;
    bias_codes_ = RoundToInt32(static_cast<double>(bias_term_));
  }
  if (scheme.bias == Scheme::Bias::kS32) {
    bias_term_ = 0.0f;
    exact_bias_term_ = 0.0;
    real_bias_ = 0.0f;
  } else if (!bias_code) {
    bias_codes_ = 0;
  }
}

int32_t ChannelRequantizer::WithIntegerBias(int32_t accumulator) const {
  return static_cast<int32_t>(static_cast<uint32_t>(accumulator) +
                              static_cast<uint32_t>(bias_codes_));
}

int32_t ChannelRequantizer::FixedPointCode(int32_t sum) const {
  int64_t scaled = 0;
  if (scheme_.steps == Scheme::Steps::kOne) {
    scaled = MultiplyOnce(sum, fixed_point_, scheme_.ties);
  } else if (scheme_.ties == Scheme::Ties::kUpTwice) {
    scaled = MultiplyUpTwice(sum, fixed_point_);
  } else {
    scaled = MultiplyDoubleRounding(sum, fixed_point_);
  }
  return RoundToInt32(static_cast<double>(scaled + zero_point_));
}

int32_t ChannelRequantizer::DoubleCode(int32_t accumulator) const {
  const double sum = scheme_.bias == Scheme::Bias::kS32 ? WithIntegerBias(accumulator)
                                                        : accumulator + exact_bias_term_;
  const double scaled = sum * exact_multiplier_;
  if (scheme_.zero_point == Scheme::ZeroPoint::kBefore) {
    return RoundToInt32(RoundBy(scaled + zero_point_, scheme_.ties));
  }
  return RoundToInt32(RoundBy(scaled, scheme_.ties) + zero_point_);
}

int32_t ChannelRequantizer::Code(int32_t accumulator) const {
  if (scheme_.multiplier == Scheme::Multiplier::kQ31 ||
      scheme_.multiplier == Scheme::Multiplier::kQ15) {
    return FixedPointCode(WithIntegerBias(accumulator));
  }
  if (scheme_.multiplier == Scheme::Multiplier::kF64) return DoubleCode(accumulator);
  const bool whole_bias = scheme_.bias == Scheme::Bias::kS32;
  float scaled = 0.0f;
  if (scheme_.steps == Scheme::Steps::kTwo) {
    const float real = whole_bias
                           ? static_cast<float>(WithIntegerBias(accumulator)) * product_
                           : static_cast<float>(accumulator) * product_ + scaled_bias_;
    scaled = real * reciprocal_;
  } else {
    const float sum = whole_bias ? static_cast<float>(WithIntegerBias(accumulator))
                                 : static_cast<float>(accumulator) + bias_term_;
    scaled = sum * multiplier_;
  }
  if (scheme_.zero_point == Scheme::ZeroPoint::kBefore) {
    return RoundToInt32(RoundBy(scaled + static_cast<float>(zero_point_), scheme_.ties));
  }
  return RoundToInt32(RoundBy(scaled, scheme_.ties) + zero_point_);
}

bool ChannelRequantizer::RoundsOnceInFloat32() const {
  return scheme_.multiplier == Scheme::Multiplier::kF32 &&
         scheme_.steps == Scheme::Steps::kOne && scheme_.ties == Scheme::Ties::kEven &&
         scheme_.zero_point == Scheme::ZeroPoint::kAfter;
}

void ChannelRequantizer::Codes(std::span<const int32_t> accumulators, int32_t min,
                               int32_t max, int32_t* codes) const {
  // In float32 a number below 2^22 rounds to an integer where the steps are ones.
  constexpr int64_t kExact = 1 << 22;
  constexpr float kStepsOfOne = 1.5f * (1 << 23);
  const int64_t low = int64_t{min} - zero_point_;
  const int64_t high = int64_t{max} - zero_point_;
  if (!RoundsOnceInFloat32() || low < -kExact || high > kExact || low > high) {
    for (size_t i = 0; i < accumulators.size(); ++i)
      codes[i] = std::clamp(Code(accumulators[i]), min, max);
    return;
  }
  const bool whole_bias = scheme_.bias == Scheme::Bias::kS32;
  const auto start = static_cast<uint32_t>(whole_bias ? bias_codes_ : 0);
  const auto lowest = static_cast<float>(low);
  const auto highest = static_cast<float>(high);
  const int32_t of_nan = std::clamp(0, min, max);
  // A step between integers does not move when it is clamped first.
#pragma omp simd
  for (size_t i = 0; i < accumulators.size(); ++i) {
    const auto sum = static_cast<int32_t>(static_cast<uint32_t>(accumulators[i]) + start);
    const float scaled = (static_cast<float>(sum) + bias_term_) * multiplier_;
    const float above = scaled < lowest ? lowest : scaled;
    const float inside = above < highest ? above : highest;
    const auto code = static_cast<int32_t>((inside + kStepsOfOne) - kStepsOfOne);
    codes[i] = scaled == scaled ? code + zero_point_ : of_nan;
  }
}

float ChannelRequantizer::Real(int32_t accumulator) const {
  return std::fma(static_cast<float>(WithIntegerBias(accumulator)), product_, real_bias_);
}

}  // namespace qconform
