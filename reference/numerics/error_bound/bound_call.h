// The families of error bounds, one file each; they rely on DefinesOperator.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUND_CALL_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUND_CALL_H_

#include <string>
#include <vector>

#include "reference/numerics/error_bound/error_bound.h"
#include "reference/numerics/scalar_call.h"

namespace qconform {

using BoundFamily = std::vector<ArithmeticBound> (*)(const ScalarCall& call);

// Convolution, its transpose and linear.
std::vector<ArithmeticBound> WeightedBounds(const ScalarCall& call);
std::vector<ArithmeticBound> MatmulBounds(const ScalarCall& call);
// One element at a time: activations, batch norm, PReLU, quantize and its kin, add, sub
// and mul.
std::vector<ArithmeticBound> ElementwiseBounds(const ScalarCall& call);
std::vector<ArithmeticBound> PoolBounds(const ScalarCall& call);
std::vector<ArithmeticBound> MeanBounds(const ScalarCall& call);
// Softmax and the norms by the input's own statistics.
std::vector<ArithmeticBound> RowBounds(const ScalarCall& call);
// Elements that move: reshape, transpose, slice, pad, concat, pixel shuffles, the nearest
// element of an upsampling.
std::vector<ArithmeticBound> MovementBounds(const ScalarCall& call);
std::vector<ArithmeticBound> UpsampleBounds(const ScalarCall& call);
std::vector<ArithmeticBound> EmbeddingBounds(const ScalarCall& call);
std::vector<ArithmeticBound> RecurrentBounds(const ScalarCall& call);
std::vector<ArithmeticBound> DynamicQuantizeBounds(const ScalarCall& call);

// More products than this are not bounded: their sums in double take minutes.
inline constexpr int64_t kMostProducts = int64_t{1} << 32;

// One arithmetic whose real results `evaluate` gives; they become units of the output.
template <typename Evaluate>
ArithmeticBound RealBound(const ScalarCall& call, std::string name, std::string formula,
                          std::string inputs, Evaluate evaluate) {
  return {std::move(name), std::move(formula), std::move(inputs), [call, evaluate] {
            BoundedValues values = evaluate();
            for (size_t i = 0; i < values.size(); ++i)
              values[i] = InUnitsOf(call.y(), static_cast<int64_t>(i), values[i]);
            return std::vector<BoundedValues>{std::move(values)};
          }};
}

// "sx = 0.02, so = 0.1": the scales of what has any, the first and the largest of
// several.
std::string ScaleTexts(const ScalarCall& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUND_CALL_H_
