// Multiplication of an accumulator by a real number in integers, as runtimes without
// floating point do it.
#ifndef QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_
#define QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_

#include <cstdint>

#include "reference/numerics/scheme.h"

namespace qconform {

// value = mantissa * 2^(shift - 31), mantissa in [2^30, 2^31) (0 for 0).
// (TensorFlow Lite, QuantizeMultiplier)
struct FixedPointMultiplier {
  int32_t mantissa = 0;
  int shift = 0;
};

FixedPointMultiplier ToFixedPoint(double value);

// Its mantissa rounded to 15 bits, halves up. (TensorFlow Lite, 16-bit activations)
FixedPointMultiplier To15Bits(FixedPointMultiplier multiplier);

// One rounding of the whole product. Saturates to 32 bits. Halves up: TensorFlow Lite,
// MultiplyByQuantizedMultiplier with single rounding; halves away from zero: QNNPACK,
// "precise". Precondition: not kUpTwice.
int32_t MultiplyOnce(int32_t value, FixedPointMultiplier multiplier, Scheme::Ties ties);

// The high half of the doubled product rounded to nearest, then the right shift rounded
// with halves away from zero: a value just below a half may be rounded up twice.
// (gemmlowp, SaturatingRoundingDoublingHighMul and RoundingDivideByPOT)
int32_t MultiplyDoubleRounding(int32_t value, FixedPointMultiplier multiplier);

// The same with the shift's halves up, as Arm's sqrdmulh and srshl do it.
int32_t MultiplyUpTwice(int32_t value, FixedPointMultiplier multiplier);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FIXED_POINT_H_
