// a * b + c in float32, rounded once.
#ifndef QCONFORM_KERNELS_REQUANTIZE_FUSED_MULTIPLY_ADD_H_
#define QCONFORM_KERNELS_REQUANTIZE_FUSED_MULTIPLY_ADD_H_

#include <bit>
#include <cstdint>

namespace qconform::kernels {

// Halide has no fused multiply-add, so loops that need one are C++: compiled once with
// the instruction and once without, chosen by the path. Without it the product is exact
// in double; the sum is rounded to odd there, after which rounding to float32 is the only
// one that counts.
struct InDouble {
  [[gnu::always_inline]] static float FusedMultiplyAdd(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double addend = c;
    const double sum = product + addend;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    auto bits = std::bit_cast<int64_t>(sum);
    const bool inexact = error < 0.0 || error > 0.0;
    if (inexact && (bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
    return static_cast<float>(std::bit_cast<double>(bits));
  }
};

// For functions that are compiled for a path with the instruction.
struct InOneInstruction {
  [[gnu::always_inline]] static float FusedMultiplyAdd(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_FUSED_MULTIPLY_ADD_H_
