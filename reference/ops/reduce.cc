// Sums and means (in torch's order, see cascade_sum.h), maxima and minima.
#include "reference/ops/reduce.h"

#include <cmath>
#include <limits>

#include "reference/numerics/cascade_sum.h"
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

// Sum over the axes of `input`, whose elements are of type T. One axis that is not the
// last is summed as columns, as torch does; all else as rows.
template <typename T>
Tensor SumAs(const Tensor& input, const std::vector<int>& axes, bool keep, DType dtype,
             bool mean) {
  const auto finish = [mean](T sum, int64_t count) {
    if (!mean) return sum;
    return static_cast<T>(sum / static_cast<T>(count));
  };
  const bool columns = axes.size() == 1 && axes[0] + 1 < input.rank();
  const AxisView view = ViewAlong(input.shape(), axes.empty() ? 0 : axes[0]);
  if (!columns || view.inner == 1) {
    return ReduceRows<T>(
        Arrange(input, axes, keep), dtype,
        [&](const T* row, int64_t width) { return finish(SumRow(row, width), width); });
  }
  Shape shape = input.shape();
  if (keep) {
    shape[static_cast<size_t>(axes[0])] = 1;
  } else {
    shape.erase(shape.begin() + axes[0]);
  }
  const ElementReader<T> reader(input);
  return MakeTensor<T>(dtype, shape, [&](T* out) {
#pragma omp parallel for if (input.numel() >= (1 << 15))
    for (int64_t i = 0; i < view.outer; ++i) {
      T* sums = out + i * view.inner;
      SumColumns(reader.data() + i * view.size * view.inner, view.size, view.inner, sums);
      for (int64_t c = 0; c < view.inner; ++c) sums[c] = finish(sums[c], view.size);
    }
  });
}

FunctionDefinition Sum(bool mean) {
  return [mean](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    const std::vector<int> axes = Axes(call, input);
    const bool keep = call.Boolean(2, "keepdim", false);
    const std::optional<DType> dtype = call.OptionalDType(3, "dtype");
    DType result = dtype.value_or(input.dtype());
    if (!dtype && !mean && !IsFloatingDType(result)) result = DType::kInt64;
    if (mean && !IsFloatingDType(result)) call.Fail("mean of " + ValueText(input));
    switch (ArithmeticTypeOf(result)) {
      case ArithmeticType::kFloat:
        return SumAs<float>(input, axes, keep, result, mean);
      case ArithmeticType::kDouble:
        return SumAs<double>(input, axes, keep, result, mean);
      case ArithmeticType::kInteger:
        break;
    }
    const auto total = [](const int64_t* row, int64_t width) {
      uint64_t sum = 0;
      for (int64_t i = 0; i < width; ++i) sum += static_cast<uint64_t>(row[i]);
      return static_cast<int64_t>(sum);
    };
    return ReduceRows<int64_t>(Arrange(input, axes, keep), result, total);
  };
}

// The largest or smallest element of each row; NaN wins.
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

Tensor MeanOfTrailing(const Tensor& input, int count) {
  std::vector<int> axes;
  for (int axis = input.rank() - count; axis < input.rank(); ++axis) axes.push_back(axis);
  if (input.dtype() == DType::kFloat64) {
    return SumAs<double>(input, axes, false, input.dtype(), true);
  }
  return SumAs<float>(input, axes, false, input.dtype(), true);
}

void AddReductions(Registry& registry) {
  AddTensorFunction(registry, "mean", Sum(true));
  AddTensorFunction(registry, "sum", Sum(false));
  AddTensorFunction(registry, "amax", Extreme(true));
  AddTensorFunction(registry, "amin", Extreme(false));
}

}  // namespace qconform
