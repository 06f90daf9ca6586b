// The end of every integer kernel as a Halide expression: a 32-bit accumulator
// becomes a code. Scalar definition: reference/numerics, scheme
// f32/one/even/bias_f32/zp_after.
#ifndef QCONFORM_KERNELS_REQUANTIZE_EPILOGUE_H_
#define QCONFORM_KERNELS_REQUANTIZE_EPILOGUE_H_

#include <Halide.h>

namespace qconform::kernels {

// `even` is what the schemes say. `away` exists for one purpose: the copy of the
// backend with one wrong rounding, which the tests must catch.
enum class Ties { kEven, kAway };

// The last steps of code = clamp(rint((float(accumulator) + bias) * multiplier) +
// zero_point), in two parts so that each can have vectors of its own width. `lower` and
// `upper` are quant_min - zero_point and quant_max - zero_point.
//
// First the code in 16 bits. The clamp comes first: its bounds are
// integers, rounding is monotone, so both orders give the same code, and the value is
// then small enough for the magic number. 1.5 * 2^23 has its last mantissa bit at one;
// adding it makes the addition itself round to nearest even, and the integer stands in
// the low bits.
inline Halide::Expr RoundScaledToCode(Halide::Expr scaled, Halide::Expr lower,
                                      Halide::Expr upper, Halide::Expr zero_point,
                                      Ties ties) {
  using Halide::Expr;
  Expr clamped = Halide::min(Halide::max(scaled, lower), upper);
  if (ties == Ties::kEven) {
    constexpr float kMagic = 12582912.0f;
    constexpr int kMagicBits = 0x4B400000;
    return Halide::saturating_cast<int16_t>(Halide::reinterpret<int>(clamped + kMagic) +
                                            (zero_point - kMagicBits));
  }
  Expr whole = Halide::trunc(clamped);
  Expr step = Halide::select(clamped < 0.0f, -1.0f, 1.0f);
  return Halide::saturating_cast<int16_t>(
      Halide::cast<int>(
          Halide::select(Halide::abs(clamped - whole) >= 0.5f, whole + step, whole)) +
      zero_point);
}

inline Halide::Expr RoundToCode(Halide::Expr accumulator, Halide::Expr bias,
                                Halide::Expr multiplier, Halide::Expr lower,
                                Halide::Expr upper, Halide::Expr zero_point, Ties ties) {
  return RoundScaledToCode((Halide::cast<float>(accumulator) + bias) * multiplier, lower,
                           upper, zero_point, ties);
}

// Then the code as a byte. One kernel writes u8 and s8: for s8 the caller adds 128 to
// zero_point and passes 0x80 as `flip`, else 0. The saturating casts cannot saturate;
// they are what packs in one instruction.
inline Halide::Expr PackCode(Halide::Expr code, Halide::Expr flip) {
  return Halide::saturating_cast<uint8_t>(code) ^ flip;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_EPILOGUE_H_
