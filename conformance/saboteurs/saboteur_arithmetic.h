// From products to codes, with the faults of the arithmetic.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_ARITHMETIC_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_ARITHMETIC_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "conformance/saboteurs/saboteur_plan.h"

namespace saboteur {

// One product after the other; `pending` holds the first of a pair.
struct Accumulator {
  int64_t sum = 0;
  float sum_f32 = 0;
  int32_t pending = 0;
  bool half = false;

  // A pair of products as 16-bit instructions leave it.
  static int32_t Pair(int32_t value) {
    if (kFault == Fault::pair_saturation) return std::clamp(value, -32768, 32767);
    return kFault == Fault::pair_wraps ? static_cast<int16_t>(value) : value;
  }
  void Add(int32_t x, int32_t w) {
    if (kFault == Fault::weights_halved) w = w / 2 * 2;
    if (kFault == Fault::products_shifted) {
      sum += (int64_t{x} * w) >> 1 << 1;
      return;
    }
    if (kFault == Fault::float32_accumulator) {
      sum_f32 += static_cast<float>(x * w);
      return;
    }
    if (half) sum += Pair(pending + x * w);
    pending = half ? 0 : x * w;
    half = !half;
  }
  int64_t Total() const {
    if (kFault == Fault::float32_accumulator) return static_cast<int64_t>(sum_f32);
    const int64_t total = half ? sum + Pair(pending) : sum;
    if (kFault == Fault::accumulator_24_bits) return (total << 40) >> 40;
    return kFault == Fault::accumulator_16_bits
               ? std::clamp<int64_t>(total, -32768, 32767)
               : total;
  }
};

inline int32_t Code(const void* data, int32_t dtype, int64_t offset) {
  auto address = reinterpret_cast<uintptr_t>(data);
  if (kFault == Fault::assumes_alignment) address &= ~uintptr_t{3};
  const auto* byte = reinterpret_cast<const uint8_t*>(address) + offset;
  const bool is_signed = dtype == QC_S8 || kFault == Fault::signedness;
  return is_signed ? static_cast<int8_t>(*byte) : *byte;
}

// (acc * multiplier) by fixed point: the mantissa has 31 bits. Rounded once, halves up,
// or twice.
inline double FixedPoint(float value, float multiplier, bool twice) {
  int shift = 0;
  const double fraction = std::frexp(static_cast<double>(multiplier), &shift);
  const double high = value * fraction;
  if (!twice) return std::floor(std::ldexp(high, shift) + 0.5);
  const double scaled = std::ldexp(
      std::round(high * (shift > 0 ? std::ldexp(1, shift) : 1)), std::min(shift, 0));
  return std::round(scaled);
}

// Saturated; NaN is 0.
inline int64_t NearestInt32(float value) {
  if (std::isnan(value)) return 0;
  return static_cast<int64_t>(std::clamp(std::rint(double{value}), -0x1p31, 0x1p31 - 1));
}

// b / (sx * sw) of a channel, and 0 of what has no bias.
inline float BiasTerm(const Plan& plan, size_t o, float product) {
  if (!plan.has_bias) return 0;
  if (!plan.bias_is_f32) return static_cast<float>(plan.bias_s32[o]);
  if (kFault == Fault::bias_by_reciprocal) return plan.bias_f32[o] * (1.0f / product);
  return plan.bias_f32[o] / product;
}

inline float Multiplier(const Plan& plan, size_t o) {
  const float product = plan.scale[o];
  const float y = plan.y.scale[0];
  if (kFault == Fault::multiplier_16_bits)
    return std::ldexp(std::rint(std::ldexp(product / y, 16)), -16);
  if (kFault == Fault::multiplier_of_quotient)
    return plan.x.scale[0] * (plan.weight_scale[o] / y);
  if (kFault == Fault::multiplier_in_double)
    return static_cast<float>(double{plan.x.scale[0]} * double{plan.weight_scale[o]} /
                              double{y});
  return product / y;
}

// Every weight of the channel is its zero point.
inline bool HasNoWeights(const Plan& plan, size_t o) {
  if (plan.kind == QC_CONV_TRANSPOSE) return false;
  const size_t window = plan.weights.size() / plan.scale.size();
  const auto begin = plan.weights.begin() + static_cast<std::ptrdiff_t>(o * window);
  return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(window),
                     [&](int8_t code) { return code == plan.weight_zero[o]; });
}

// The code before the clamp.
inline double Rounded(float value, float multiplier, int32_t zero) {
  const float scaled = value * multiplier;
  if (std::isnan(scaled)) return kFault == Fault::nan_sum_is_zero_point ? zero : 0;
  if (kFault == Fault::wraps_beyond_32_bits && !(std::fabs(scaled) < 0x1p31f))
    return -0x1p31 + zero;
  if (kFault == Fault::round_half_away) return double{std::round(scaled)} + zero;
  if (kFault == Fault::far_ties_away && std::fabs(scaled) > 100)
    return double{std::round(scaled)} + zero;
  if (kFault == Fault::round_half_up || kFault == Fault::names_no_scheme)
    return std::floor(double{scaled} + 0.5) + zero;
  if (kFault == Fault::round_half_toward_zero)
    return std::copysign(std::ceil(std::fabs(double{scaled}) - 0.5), scaled) + zero;
  if (kFault == Fault::truncate) return double{std::trunc(scaled)} + zero;
  if (kFault == Fault::round_down) return double{std::floor(scaled)} + zero;
  if (kFault == Fault::fixed_point_once)
    return FixedPoint(value, multiplier, false) + zero;
  if (kFault == Fault::fixed_point_twice)
    return FixedPoint(value, multiplier, true) + zero;
  if (kFault == Fault::zero_point_before)
    return std::rint(scaled + static_cast<float>(zero));
  if (kFault == Fault::zero_point_twice) return double{std::rint(scaled)} + 2 * zero;
  if (kFault == Fault::ignore_output_zero_point) return std::rint(scaled);
  return double{std::rint(scaled)} + zero;
}

inline uint8_t Requantize(const Plan& plan, int64_t acc, int64_t o) {
  const float product = plan.scale[static_cast<size_t>(o)];
  const float multiplier = Multiplier(plan, static_cast<size_t>(o));
  const int32_t zero = ZeroPoint(plan.y, 0);
  auto value = static_cast<float>(acc);
  const bool last = o + 1 == static_cast<int64_t>(plan.scale.size());
  const bool forgotten = kFault == Fault::no_bias ||
                         (kFault == Fault::no_bias_of_last_channel && last) ||
                         (kFault == Fault::beyond_64_channels && o >= 64) ||
                         (kFault == Fault::no_bias_of_zero_weights &&
                          HasNoWeights(plan, static_cast<size_t>(o)));
  if (plan.has_bias && !forgotten) {
    const auto index = static_cast<size_t>(o);
    const bool one_product = kFault == Fault::bias_rounded_for_one_product &&
                             plan.weights.size() == plan.scale.size();
    const float term = BiasTerm(plan, index, product);
    const bool wrong_unit = plan.bias_is_f32 && kFault == Fault::bias_in_output_units;
    const bool exact =
        one_product || plan.bias_s32_scheme || !plan.bias_is_f32 || wrong_unit;
    int64_t rounded = plan.bias_is_f32 ? NearestInt32(term) : plan.bias_s32[index];
    if (wrong_unit) {
      const float unit = plan.y.scale[0] * plan.weight_scale[index];
      rounded = NearestInt32(plan.bias_f32[index] / unit);
    }
    if (kFault == Fault::bias_overflow) rounded = static_cast<int16_t>(rounded);
    // The sum has 32 bits, as the accumulator has.
    int64_t sum = static_cast<int32_t>(static_cast<uint32_t>(acc + rounded));
    if (kFault == Fault::sum_with_bias_saturates)
      sum = std::clamp<int64_t>(acc + rounded, INT32_MIN, INT32_MAX);
    if (kFault == Fault::sum_with_bias_of_64_bits) sum = acc + rounded;
    value =
        exact || kFault == Fault::bias_overflow ? static_cast<float>(sum) : value + term;
  }
  if (kFault == Fault::relu_before_bias &&
      plan.attributes.activation == QC_ACTIVATION_RELU)
    value = std::max(value, static_cast<float>(std::max<int64_t>(acc, 0)));
  double code = Rounded(value, multiplier, zero);
  if (kFault == Fault::fused_multiply_add) {
    const float term = BiasTerm(plan, static_cast<size_t>(o), product);
    code = Rounded(std::fma(static_cast<float>(acc), multiplier, term * multiplier), 1,
                   zero);
  }
  double low = plan.y.dtype == QC_U8 ? 0 : -128;
  double high = plan.y.dtype == QC_U8 ? 255 : 127;
  if (plan.y.quant_min != plan.y.quant_max && kFault != Fault::ignores_range) {
    low = plan.y.quant_min;
    high = plan.y.quant_max;
    if (kFault == Fault::symmetric_range_ignored && low == -127) low = -128;
    if (kFault == Fault::range_from_zero_ignored && low == 0 && plan.y.dtype == QC_S8)
      low = -128;
  }
  if (plan.attributes.activation == QC_ACTIVATION_RELU && kFault != Fault::no_relu) {
    low = kFault == Fault::relu_forgets_range
              ? zero
              : std::max(low, kFault == Fault::relu_at_code_zero ? 0.0 : double(zero));
  }
  if (kFault == Fault::zero_point_255 && zero == 255) high = std::min(high, 254.0);
  if (kFault == Fault::wraps_at_bounds)
    return static_cast<uint8_t>(static_cast<int64_t>(std::clamp(code, -1e9, 1e9)));
  if (kFault == Fault::clamp_before_zero_point)
    return static_cast<uint8_t>(static_cast<int32_t>(
        std::clamp(std::clamp(code - zero, low, high) + zero, low, high)));
  return static_cast<uint8_t>(static_cast<int32_t>(std::clamp(code, low, high)));
}

}  // namespace saboteur

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_ARITHMETIC_H_
