// IEEE 754 binary16 and bfloat16 to and from float32, rounding half to even.
#ifndef QCONFORM_REFERENCE_IR_HALF_H_
#define QCONFORM_REFERENCE_IR_HALF_H_

#include <cstdint>

namespace qconform {

float HalfToFloat(uint16_t bits);
uint16_t FloatToHalf(float value);

float BFloat16ToFloat(uint16_t bits);
uint16_t FloatToBFloat16(float value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_HALF_H_
