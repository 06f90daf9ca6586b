// SOFTMAX and the norms: every element depends on its whole row.
#include <algorithm>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"
#include "reference/numerics/error_bound/bounded_activation.h"

namespace qconform {
namespace {

BoundedValues Softmax(const ScalarCall& call) {
  BoundedValues values = ReadBounded(call.x());
  const std::vector<int64_t> shape = ShapeOf(call.x());
  const auto axis = static_cast<int>(call.attributes.axis);
  const int64_t size = shape.empty() ? 1 : shape[static_cast<size_t>(axis)];
  const int64_t inner = shape.empty() ? 1 : SizeOf(call.x(), axis + 1, call.x().rank);
  const int64_t rows = size == 0 ? 0 : static_cast<int64_t>(values.size()) / size;
  for (int64_t row = 0; row < rows; ++row) {
    Bounded* first = values.data() + row / inner * size * inner + row % inner;
    Bounded largest = first[0];
    for (int64_t i = 1; i < size; ++i)
      if (first[i * inner].value > largest.value) largest = first[i * inner];
    BoundedSum sum;
    for (int64_t i = 0; i < size; ++i) {
      first[i * inner] = Exp(Subtract(first[i * inner], largest));
      sum.Add(first[i * inner]);
    }
    const Bounded total = sum.Total();
    for (int64_t i = 0; i < size; ++i) first[i * inner] = Divide(first[i * inner], total);
  }
  return values;
}

// The mean of squares of distances from the mean, or the mean of squares less the square
// of the mean.
Bounded Variance(const Bounded* x, int64_t width, const Bounded& mean, bool moments) {
  BoundedSum distances;
  BoundedSum squares;
  for (int64_t i = 0; i < width; ++i) {
    const Bounded distance = Subtract(x[i], mean);
    distances.Add(Multiply(distance, distance));
    squares.Add(Multiply(x[i], x[i]));
  }
  const auto n = static_cast<double>(width);
  const Bounded central = DivideBy(distances.Total(), n);
  if (!moments) return central;
  const Bounded difference = Subtract(DivideBy(squares.Total(), n), Multiply(mean, mean));
  return {central.value, difference.error};
}

BoundedValues Normalize(const ScalarCall& call, bool moments) {
  const qc_tensor& x = call.x();
  BoundedValues values = ReadBounded(x);
  const bool layer = call.kind == QC_LAYER_NORM;
  const auto axis = static_cast<int>(call.attributes.axis);
  const int64_t plane = layer ? SizeOf(x, axis, x.rank) : SizeOf(x, 2, x.rank);
  const int64_t groups = layer                           ? 1
                         : call.kind == QC_INSTANCE_NORM ? x.shape[1]
                                                         : call.attributes.group_count;
  const int64_t channels = layer || groups == 0 ? 1 : x.shape[1] / groups;
  const int64_t width = channels * plane;
  const int64_t rows = width == 0 ? 0 : static_cast<int64_t>(values.size()) / width;
  BoundedValues gamma;
  BoundedValues beta;
  if (call.input(1) != nullptr) gamma = ReadBounded(*call.input(1));
  if (call.input(2) != nullptr) beta = ReadBounded(*call.input(2));
  for (int64_t row = 0; row < rows; ++row) {
    Bounded* first = values.data() + row * width;
    BoundedSum sum;
    for (int64_t i = 0; i < width; ++i) sum.Add(first[i]);
    const Bounded mean = DivideBy(sum.Total(), static_cast<double>(width));
    const Bounded variance = Variance(first, width, mean, moments);
    const Bounded root = Sqrt(Add(variance, Exact(double{call.attributes.epsilon})));
    const Bounded factor = Divide(Exact(1), root);
    for (int64_t i = 0; i < width; ++i) {
      const auto at =
          static_cast<size_t>(layer ? i : row % groups * channels + i / plane);
      // (x - mean) a gamma + beta, or x (a gamma) + (beta - mean (a gamma)).
      const Bounded scale = gamma.empty() ? factor : Multiply(factor, gamma[at]);
      BoundedSum parts;
      if (moments) {
        parts.Add(Multiply(first[i], scale));
        parts.Add(Multiply({-mean.value, mean.error}, scale));
      } else {
        parts.Add(Multiply(Subtract(first[i], mean), scale));
      }
      if (!beta.empty()) parts.Add(beta[at]);
      first[i] = BoundedFusedActivation(call.attributes, parts.Total());
    }
  }
  return values;
}

constexpr char kInCodes[] = "; in codes (e + gamma_2 (|y| + e)) / so + u |code|";

std::string RowText(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  int64_t n = x.rank == 0 ? 1 : x.shape[call.attributes.axis];
  if (call.kind == QC_LAYER_NORM) {
    n = SizeOf(x, static_cast<int>(call.attributes.axis), x.rank);
  } else if (call.kind != QC_SOFTMAX) {
    n = SizeOf(x, 2, x.rank);
    if (call.kind == QC_GROUP_NORM) n *= x.shape[1] / call.attributes.group_count;
  }
  return "n = " + std::to_string(n) + ", " + ScaleTexts(call);
}

}  // namespace

std::vector<ArithmeticBound> RowBounds(const ScalarCall& call) {
  if (call.kind == QC_SOFTMAX) {
    return {
        RealBound(call, "float32, less the largest",
                  std::string("e by running error: x - max u (|x| + |max| + |x - max|), "
                              "exponential 6 u, sum gamma_(n-1), quotient 5 u") +
                      kInCodes,
                  RowText(call), [call] { return Softmax(call); })};
  }
  return {RealBound(call, "float32, mean and then variance",
                    std::string("e by running error: mean gamma_(n+1) sum |x| / n, "
                                "variance gamma_(n+3), root 6 u, quotient 5 u") +
                        kInCodes,
                    RowText(call), [call] { return Normalize(call, false); }),
          RealBound(call, "float32, variance from the mean of squares",
                    std::string("e by running error: mean gamma_(n+1) sum |x| / n, "
                                "variance gamma_(n+3) (sum x^2 / n + mean^2)") +
                        kInCodes,
                    RowText(call), [call] { return Normalize(call, true); })};
}

}  // namespace qconform
