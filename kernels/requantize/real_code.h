// The end of a kernel of real values in plain C++, in a form that compilers vectorize:
// what requantize/real_epilogue.h is for Halide.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_CODE_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_CODE_H_

#include <cstdint>

#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

// (code - zero_point) * scale in float32.
[[gnu::always_inline]] inline float RealOfByte(uint8_t byte,
                                               const RealInputParameters& p) {
  return static_cast<float>(int32_t{static_cast<uint8_t>(byte ^ p.flip)} - p.zero_point) *
         p.scale;
}

// clamp(rint(value * reciprocal) + zero_point) as a byte. Rounding is monotone and the
// bounds are integers: the clamp may come first.
[[gnu::always_inline]] inline uint8_t ByteOfReal(float value,
                                                 const RealOutputParameters& p) {
  constexpr float kMagic = 12582912.0f;  // adding it rounds to nearest even
  const float scaled = value * p.reciprocal;
  const float raised = scaled > p.lower ? scaled : p.lower;
  const float clamped = raised < p.upper ? raised : p.upper;
  const int32_t code = static_cast<int32_t>((clamped + kMagic) - kMagic) + p.zero_point;
  return static_cast<uint8_t>(scaled == scaled ? code : p.of_nan) ^ p.flip;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_CODE_H_
