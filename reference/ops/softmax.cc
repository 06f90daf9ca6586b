// softmax and log_softmax: exponentials and their sum (in index order) in double.
#include <algorithm>
#include <cmath>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/promote.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

template <typename T>
Tensor SoftmaxAs(const Tensor& input, DType dtype, int axis, bool logarithm) {
  const AxisView view = ViewAlong(input.shape(), axis);
  const ElementReader<T> reader(input);
  const T* data = reader.data();
  return MakeTensor<T>(dtype, input.shape(), [&](T* out) {
    const int64_t rows = view.outer * view.inner;
#pragma omp parallel for if (input.numel() >= 4096)
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t first = row / view.inner * view.size * view.inner + row % view.inner;
      const int64_t step = view.inner;
      double largest = -std::numeric_limits<double>::infinity();
      for (int64_t i = 0; i < view.size; ++i) {
        const double x = data[first + i * step];
        if (x > largest || std::isnan(x)) largest = x;
      }
      double sum = 0.0;
      for (int64_t i = 0; i < view.size; ++i) {
        sum += std::exp(double(data[first + i * step]) - largest);
      }
      for (int64_t i = 0; i < view.size; ++i) {
        const double shifted = double(data[first + i * step]) - largest;
        out[first + i * step] =
            static_cast<T>(logarithm ? shifted - std::log(sum) : std::exp(shifted) / sum);
      }
    }
  });
}

FunctionDefinition Softmax(bool logarithm, bool functional) {
  return [logarithm, functional](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    const std::optional<int64_t> axis = call.OptionalInteger(1, "dim");
    if (functional) call.Ignore(2, "_stacklevel");
    const std::optional<DType> dtype = call.OptionalDType(functional ? 3 : 2, "dtype");
    // torch's choice for a missing dim.
    const int64_t implicit =
        input.rank() == 0 || input.rank() == 1 || input.rank() == 3 ? 0 : 1;
    const int normalized = NormalizeAxis(axis.value_or(implicit), input.rank(), call);
    const DType result = dtype.value_or(FloatingResult(input.dtype()));
    if (!IsFloatingDType(result)) call.Fail("dtype is not floating");
    if (result == DType::kFloat64) {
      return SoftmaxAs<double>(input, result, normalized, logarithm);
    }
    return SoftmaxAs<float>(input, result, normalized, logarithm);
  };
}

}  // namespace

void AddSoftmax(Registry& registry) {
  AddTensorFunction(registry, "softmax", Softmax(false, false));
  AddTensorFunction(registry, "log_softmax", Softmax(true, false));
  AddNnFunction(registry, "softmax", Softmax(false, true));
  AddNnFunction(registry, "log_softmax", Softmax(true, true));
  AddModuleAsFunction(registry, "torch.nn.Softmax", Softmax(false, true), {"dim"});
  AddModuleAsFunction(registry, "torch.nn.LogSoftmax", Softmax(true, true), {"dim"});
}

}  // namespace qconform
