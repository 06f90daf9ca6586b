// Quantize and dequantize one value: the formulas of quantize.h and of the scalar
// operators, in one place.
#ifndef QCONFORM_REFERENCE_NUMERICS_QUANTIZE_VALUE_H_
#define QCONFORM_REFERENCE_NUMERICS_QUANTIZE_VALUE_H_

#include <cmath>
#include <cstdint>

#include "reference/ir/dtype.h"

namespace qconform {

// 1/scale in float32.
inline float ReciprocalScale(float scale) { return 1.0f / scale; }

// clamp(rint(x * reciprocal) + zero_point, min, max), right for every x; NaN gives
// clamp(0, min, max).
inline int32_t QuantizeSaturating(float x, float reciprocal, int32_t zero_point,
                                  int32_t min, int32_t max) {
  const float scaled = x * reciprocal;
  if (std::isnan(scaled)) return min > 0 ? min : (max < 0 ? max : 0);
  // In double the sum is exact wherever it can still lie inside 32 bits.
  const double code = std::rint(static_cast<double>(scaled)) + zero_point;
  if (code <= min) return min;
  if (code >= max) return max;
  return static_cast<int32_t>(code);
}

// torch's vectorized quantize for 8-bit codes: x * reciprocal above 2147483520 or
// NaN becomes 2147483520, below -2^31 becomes -2^31, and the zero point is added
// with 32-bit wrap-around before the clamp.
int32_t QuantizeAsTorch(float x, float reciprocal, int32_t zero_point, int32_t min,
                        int32_t max);

// (code - zero_point) * scale in float32; the difference is exact in float32 for
// 8-bit codes and rounded once for 32-bit ones.
inline float DequantizeValue(int64_t code, int64_t zero_point, float scale) {
  return static_cast<float>(code - zero_point) * scale;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_QUANTIZE_VALUE_H_
