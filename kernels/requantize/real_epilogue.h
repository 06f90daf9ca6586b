// The end of every kernel of real values as a Halide expression. Scalar definition:
// reference/numerics, scheme real/one/even/bias_f32/zp_after.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_EPILOGUE_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_EPILOGUE_H_

#include <Halide.h>

#include "kernels/requantize/epilogue.h"

namespace qconform::kernels {

// What one operand of real values needs beside its codes.
struct RealOperand {
  Halide::Expr flip;        // 0x80 for s8, which is then a byte 128 higher; else 0
  Halide::Expr zero_point;  // of that byte
  Halide::Expr scale;
};

// (code - zero_point) * scale in float32.
inline Halide::Expr Dequantize(Halide::Expr byte, const RealOperand& operand) {
  return Halide::cast<float>(Halide::cast<int32_t>(byte ^ operand.flip) -
                             operand.zero_point) *
         operand.scale;
}

// A fused relu, relu6 or clamp; infinite bounds for none. NaN stays NaN.
inline Halide::Expr ClampReal(Halide::Expr value, Halide::Expr lowest,
                              Halide::Expr highest) {
  Halide::Expr raised = Halide::select(value < lowest, lowest, value);
  return Halide::select(raised > highest, highest, raised);
}

// clamp(rint(value * reciprocal) + zero_point) in 16 bits, for PackCode; of_nan where the
// product is NaN. The rest is RoundToCode's.
inline Halide::Expr RealToCode(Halide::Expr value, Halide::Expr reciprocal,
                               Halide::Expr lower, Halide::Expr upper,
                               Halide::Expr zero_point, Halide::Expr of_nan, Ties ties) {
  Halide::Expr scaled = value * reciprocal;
  Halide::Expr code = RoundScaledToCode(scaled, lower, upper, zero_point, ties);
  return Halide::select(scaled == scaled, code, of_nan);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_EPILOGUE_H_
