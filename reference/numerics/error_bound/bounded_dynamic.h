// Quantization at run time of values that are themselves off, and products of matrices.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_DYNAMIC_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_DYNAMIC_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"

namespace qconform {

// What QuantizeDynamically makes of the values, at most a code beside where they lie
// close to a half. The scale is off by gamma_4 and by twice the error of the ends of the
// range over its codes; the zero point, close to a half, by one, which moves codes at the
// bounds.
struct BoundedDynamic {
  Bounded scale;
  Bounded zero_point;   // not yet rounded
  BoundedValues codes;  // with the zero point, not rounded where one of them may differ
  BoundedValues real;   // dequantized again
};
BoundedDynamic QuantizeBounded(std::span<const Bounded> values, CodeBounds bounds,
                               bool reduce_range);

// How the products of codes are summed up.
enum class DynamicSums {
  kIntegers,             // exact
  kIntegersRoundedBias,  // with the bias rounded to one of them, sx sw
  kFloats,               // dequantized, in float32 in any order
};

// x [rows, depth] times w [outputs, depth], plus a bias [outputs] or none. `units`, of
// kIntegersRoundedBias: sx sw of each output.
BoundedValues BoundedLinear(std::span<const Bounded> x, const BoundedValues& w,
                            const BoundedValues& bias, int64_t depth, DynamicSums sums,
                            const std::vector<double>& units = {});

// sx sw of each output of a weight [outputs, depth].
std::vector<double> ProductScales(double x_scale, const qc_tensor& w);

// LINEAR with an input that is quantized at run time.
std::vector<ArithmeticBound> DynamicLinearBounds(const ScalarCall& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_DYNAMIC_H_
