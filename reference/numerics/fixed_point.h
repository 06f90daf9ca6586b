// Multiplication of an accumulator by a real number in integers, as runtimes without
// floating point do it.
#ifndef QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_
#define QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_

#include <cstdint>

namespace qconform {

// value = mantissa * 2^(shift - 31), mantissa in [2^30, 2^31) (0 for 0).
// (TensorFlow Lite, QuantizeMultiplier)
struct FixedPointMultiplier {
  int32_t mantissa = 0;
  int shift = 0;
};

FixedPointMultiplier ToFixedPoint(double value);

// One rounding, halves up. Saturates to 32 bits. (TensorFlow Lite,
// MultiplyByQuantizedMultiplier with single rounding; XNNPACK)
int32_t MultiplySingleRounding(int32_t value, FixedPointMultiplier multiplier);

// The high half of the doubled product rounded to nearest, then the right shift rounded
// with halves away from zero: a value just below a half may be rounded up twice.
// (gemmlowp, SaturatingRoundingDoublingHighMul and RoundingDivideByPOT)
int32_t MultiplyDoubleRounding(int32_t value, FixedPointMultiplier multiplier);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_
