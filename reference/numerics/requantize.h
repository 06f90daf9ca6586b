// From a 32-bit accumulator to a code, under a named scheme. This is the scalar
// definition that integer kernels are judged by. Under the even f32 schemes the rounding
// follows the floating-point environment, as in quantize.h.
#ifndef QCONFORM_REFERENCE_NUMERICS_REQUANTIZE_H_
#define QCONFORM_REFERENCE_NUMERICS_REQUANTIZE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/numerics/fixed_point.h"
#include "reference/numerics/scheme.h"

namespace qconform {

// x rounded to an integral value by the rule. Exact for every float and double.
double RoundBy(double x, Scheme::Ties ties);

// rint, saturated to 32 bits; NaN gives 0.
int32_t RoundToInt32(double value);

// One output channel's constants. input_scale * weight_scale is taken in float32.
class ChannelRequantizer {
 public:
  // bias is real (f32); bias_code counts in units of input_scale * weight_scale (s32).
  // At most one of them is given. Precondition: not copy, no real scheme.
  ChannelRequantizer(const Scheme& scheme, float input_scale, float weight_scale,
                     float output_scale, int32_t zero_point, std::optional<float> bias,
                     std::optional<int32_t> bias_code);

  // accumulator = sum of (x - zx) * (w - zw), exact. The code before the clamp,
  // saturated to 32 bits.
  int32_t Code(int32_t accumulator) const;
  // codes[i] = clamp(Code(accumulators[i]), min, max), quickly under
  // f32/one/even/.../zp_after. codes: as many as accumulators.
  void Codes(std::span<const int32_t> accumulators, int32_t min, int32_t max,
             int32_t* codes) const;
  // The real value, for float32 outputs: the accumulator (with a rounded or s32 bias
  // inside) times the product of scales, plus the float bias, in one fused multiply-add.
  // (fbgemm, ReQuantizeForFloat)
  float Real(int32_t accumulator) const;

 private:
  int32_t FixedPointCode(int32_t sum) const;
  int32_t DoubleCode(int32_t accumulator) const;
  bool RoundsOnceInFloat32() const;
  int32_t WithIntegerBias(int32_t accumulator) const;

  Scheme scheme_;
  float product_;         // input_scale * weight_scale
  float multiplier_;      // product / output_scale
  float reciprocal_;      // 1 / output_scale, for the second of two steps
  double exact_product_;  // f64: what the names without exact_ are in float32
  double exact_multiplier_;
  double exact_bias_term_ = 0.0;
  FixedPointMultiplier fixed_point_;
  int32_t zero_point_;
  float real_bias_ = 0.0f;    // bias in real units, bias_f32 only
  float scaled_bias_ = 0.0f;  // the same, of either kind of bias
  float bias_term_ = 0.0f;    // bias / product, bias_f32 only
  int32_t bias_codes_ = 0;    // added in integers
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_REQUANTIZE_H_
