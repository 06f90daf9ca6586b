// Sums of products of codes, exact, and what float32 makes of them.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_WEIGHTED_BOUND_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_WEIGHTED_BOUND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/numerics/error_bound/bound_call.h"

namespace qconform {

// The ways in which a backend may get from codes to the real result of a convolution or
// linear, from the tightest on.
enum class WeightedArithmetic {
  kIntegerSums,  // exact in int32, then float32
  kIntegerBias,  // the same with the float bias rounded to an accumulator first
  kFixedPoint,   // a 31-bit multiplier, rounded before its shift and after
  kFifteenBits,  // a 15-bit multiplier
  kFloatSums,    // operands dequantized, float32 sums in any order
};

// What one output element is made of.
struct WeightedElement {
  int64_t accumulator = 0;   // sum of (x - zx) (w - zw), with an s32 bias inside
  int64_t magnitude = 0;     // sum of |x - zx| |w - zw| and |s32 bias|; kFloatSums only
  int64_t products = 0;      // n
  double product_scale = 0;  // sx sw
  double bias = 0;           // f32, real
  bool has_real_bias = false;
  double output_scale = 0;  // 0: the output is f32
};

// so 2^-(r+1): what a 31-bit multiplier, rounded before its right shift r and after, is
// off by besides the last rounding; multiplier = m 2^-r, m in [1/2, 1), in units of the
// output. 0 without a shift: there is one rounding, the last. (gemmlowp)
double TwoRoundings(double multiplier, double output_scale);

// Its real value without activation and residual, and the error of the arithmetic:
//   kIntegerSums   gamma_4 (|acc| sx sw + |b|)     acc to float32, the product of
//                  scales, the product, the sum with b; or b / (sx sw) and back
//   kIntegerBias   and sx sw / 2
//   kFixedPoint    and so 2^-(r+1), r the right shift of sx sw / so = m 2^-r
//   kFifteenBits   and 2^-15 (|acc| sx sw + |b|)      half a unit of a mantissa in
//                  [2^14, 2^15)
//   kFloatSums     gamma_(n+3) (sum |x| |w| + |b|)   both dequantized, their product,
//                  n - 1 sums and the bias
// Where a real bias is rounded to an integer and makes a sum that 32 bits do not hold, or
// is no number, nothing is bounded.
Bounded WeightedValue(const WeightedElement& element, WeightedArithmetic arithmetic);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_WEIGHTED_BOUND_H_
