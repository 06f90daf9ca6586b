// Sums and means (in double in index order, rounded once), maxima and minima.
#include <cmath>
#include <limits>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/names.h"
#include "reference/ops/promote.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// The tensor with the reduced axes moved last, seen as [kept, reduced], and the shape
// of the result.
struct Reduction {
  Tensor rows;
  int64_t kept;
  int64_t width;
  Shape shape;
};

Reduction Arrange(const Tensor& input, const std::vector<int>& axes, bool keep) {
  std::vector<bool> reduced(static_cast<size_t>(input.rank()) + 1, false);
  for (int axis : axes) reduced[static_cast<size_t>(axis)] = true;
  Reduction result;
  std::vector<int> order;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (reduced[static_cast<size_t>(axis)]) {
      if (keep) result.shape.push_back(1);
    } else {
      order.push_back(axis);
      result.shape.push_back(input.dim(axis));
    }
  }
  bool in_order = true;
  for (int axis : axes) {
    if (axis < input.rank()) order.push_back(axis);
  }
  for (size_t i = 0; i < order.size(); ++i) in_order &= order[i] == static_cast<int>(i);
  result.kept = NumElements(result.shape);
  result.width = 1;
  for (int axis : axes) result.width *= axis < input.rank() ? input.dim(axis) : 1;
  result.rows = in_order ? input : Permute(input, order);
  return result;
}

// reduce(row, width) of each row.
template <typename T, typename Reduce>
Tensor ReduceRows(const Reduction& reduction, DType dtype, Reduce reduce) {
  const ElementReader<T> reader(reduction.rows);
  return MakeTensor<T>(dtype, reduction.shape, [&](T* out) {
#pragma omp parallel for if (reduction.rows.numel() >= (1 << 15))
    for (int64_t i = 0; i < reduction.kept; ++i) {
      out[i] = reduce(reader.data() + i * reduction.width, reduction.width);
    }
  });
}

std::vector<int> Axes(const Call& call, const Tensor& input) {
  return NormalizeAxes(call.OptionalIntegers(1, "dim").value_or(Shape{}), input.rank(),
                       call);
}

FunctionDefinition Sum(bool mean) {
  return [mean](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    const Reduction reduction =
        Arrange(input, Axes(call, input), call.Boolean(2, "keepdim", false));
    const std::optional<DType> dtype = call.OptionalDType(3, "dtype");
    DType result = dtype.value_or(input.dtype());
    if (!dtype && !mean && !IsFloatingDType(result)) result = DType::kInt64;
    if (mean && !IsFloatingDType(result)) call.Fail("mean of " + ValueText(input));
    const auto total = [mean](const auto* row, int64_t width) {
      using T = std::remove_cvref_t<decltype(*row)>;
      std::conditional_t<std::is_integral_v<T>, uint64_t, double> sum = 0;
      for (int64_t i = 0; i < width; ++i) sum += static_cast<decltype(sum)>(row[i]);
      if (mean) return static_cast<T>(sum / static_cast<decltype(sum)>(width));
      return static_cast<T>(sum);
    };
    switch (ArithmeticTypeOf(result)) {
      case ArithmeticType::kFloat:
        return ReduceRows<float>(reduction, result, total);
      case ArithmeticType::kDouble:
        return ReduceRows<double>(reduction, result, total);
      case ArithmeticType::kInteger:
        break;
    }
    return ReduceRows<int64_t>(reduction, result, total);
  };
}

// The largest (sign 1) or smallest (sign -1) element of each row; NaN wins.
FunctionDefinition Extreme(bool largest) {
  return [largest](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    const Reduction reduction =
        Arrange(input, Axes(call, input), call.Boolean(2, "keepdim", false));
    if (reduction.width == 0) call.Fail("no elements to choose from");
    const auto choose = [largest](const auto* row, int64_t width) {
      auto best = row[0];
      for (int64_t i = 1; i < width; ++i) {
        if ((largest ? row[i] > best : row[i] < best) || row[i] != row[i]) best = row[i];
      }
      return best;
    };
    switch (ArithmeticTypeOf(input.dtype())) {
      case ArithmeticType::kFloat:
        return ReduceRows<float>(reduction, input.dtype(), choose);
      case ArithmeticType::kDouble:
        return ReduceRows<double>(reduction, input.dtype(), choose);
      case ArithmeticType::kInteger:
        break;
    }
    return ReduceRows<int64_t>(reduction, input.dtype(), choose);
  };
}

}  // namespace

void AddReductions(Registry& registry) {
  AddTensorFunction(registry, "mean", Sum(true));
  AddTensorFunction(registry, "sum", Sum(false));
  AddTensorFunction(registry, "amax", Extreme(true));
  AddTensorFunction(registry, "amin", Extreme(false));
}

}  // namespace qconform
