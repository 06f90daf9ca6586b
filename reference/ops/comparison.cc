// Comparisons, minimum and maximum, logical operators, where and masked_fill.
#include <cmath>

#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

template <typename Operation>
void AddComparison(Registry& registry, const std::string& name, Operation op) {
  const FunctionDefinition definition = [op](const Call& call) -> Value {
    return Compare(call, call.Get(0, "input"), call.Get(1, "other"), op);
  };
  AddTensorFunction(registry, name, definition);
  registry.AddFunction("operator." + name, definition);
}

// A NaN on either side gives NaN, as in torch.
struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};

struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};

// `condition` ? a : b, all broadcast, in the dtype given.
Tensor Select(const Call& call, const Tensor& condition, const Tensor& a, const Tensor& b,
              DType dtype) {
  if (condition.dtype() != DType::kBool) {
    call.Fail("condition is " + ValueText(condition), "a bool tensor");
  }
  const Shape shape =
      BroadcastShapes(condition.shape(),
                      BroadcastShapes(a.shape(), b.shape(), call.where()), call.where());
  const Tensor mask = BroadcastTo(condition, shape, call.where());
  const Tensor x = BroadcastTo(Cast(a, dtype), shape, call.where());
  const Tensor y = BroadcastTo(Cast(b, dtype), shape, call.where());
  Tensor result(dtype, shape);
  const size_t item = ItemSize(dtype);
  for (int64_t i = 0; i < result.numel(); ++i) {
    const std::byte* source = (mask.data<uint8_t>()[i] != 0 ? x : y).bytes();
    const size_t offset = static_cast<size_t>(i) * item;
    std::copy_n(source + offset, item, result.bytes() + offset);
  }
  return result;
}

Value MaskedFill(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const Tensor& mask = call.TensorAt(1, "mask");
  const Value& fill = call.Get(2, "value");
  CheckOperands(call, input, fill);
  return Select(call, mask, AsTensor(fill), input, input.dtype());
}

Value Where(const Call& call) {
  const Value& a = call.Get(1, "input");
  const Value& b = call.Get(2, "other");
  CheckOperands(call, a, b);
  return Select(call, call.TensorAt(0, "condition"), AsTensor(a), AsTensor(b),
                ResultType(a, b));
}

}  // namespace

void AddComparisons(Registry& registry) {
  AddComparison(registry, "eq", [](auto a, auto b) { return a == b; });
  AddComparison(registry, "ne", [](auto a, auto b) { return a != b; });
  AddComparison(registry, "lt", [](auto a, auto b) { return a < b; });
  AddComparison(registry, "le", [](auto a, auto b) { return a <= b; });
  AddComparison(registry, "gt", [](auto a, auto b) { return a > b; });
  AddComparison(registry, "ge", [](auto a, auto b) { return a >= b; });
  AddTensorFunction(registry, "logical_and", [](const Call& call) {
    return Compare(call, call.Get(0, "input"), call.Get(1, "other"),
                   [](auto a, auto b) { return a != 0 && b != 0; });
  });
  AddTensorFunction(registry, "logical_or", [](const Call& call) {
    return Compare(call, call.Get(0, "input"), call.Get(1, "other"),
                   [](auto a, auto b) { return a != 0 || b != 0; });
  });
  AddTensorFunction(registry, "maximum", [](const Call& call) {
    return Binary(call, call.Get(0, "input"), call.Get(1, "other"), Maximum{});
  });
  AddTensorFunction(registry, "minimum", [](const Call& call) {
    return Binary(call, call.Get(0, "input"), call.Get(1, "other"), Minimum{});
  });
  AddTensorFunction(registry, "masked_fill", MaskedFill);
  AddInPlaceFunction(registry, "masked_fill", MaskedFill);
  registry.AddFunction("torch.where", Where);
}

}  // namespace qconform
