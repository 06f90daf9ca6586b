// Mathematical functions of one element; transcendental ones in double, rounded once.
#include <cmath>

#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {

const Tensor& PlainTensor(const Call& call, size_t position, const char* keyword) {
  const Tensor& tensor = call.TensorAt(position, keyword);
  if (IsQuantizedDType(tensor.dtype())) {
    call.Fail(std::string("'") + keyword + "' is " + ValueText(tensor),
              "a tensor that is not quantized");
  }
  return tensor;
}

namespace {

using RealFunction = double (*)(double);

void AddReal(Registry& registry, const std::string& name, RealFunction function) {
  const FunctionDefinition definition = [function](const Call& call) -> Value {
    return FloatingMap(PlainTensor(call, 0, "input"), [function](auto x) {
      return static_cast<decltype(x)>(function(static_cast<double>(x)));
    });
  };
  AddTensorFunction(registry, name, definition);
  AddInPlaceFunction(registry, name, definition);
}

// Integers stay as they are (ceil, floor, ...).
void AddRounding(Registry& registry, const std::string& name, RealFunction function) {
  AddTensorFunction(registry, name, [function](const Call& call) -> Value {
    return SameTypeMap(PlainTensor(call, 0, "input"), [function](auto x) {
      using T = decltype(x);
      if constexpr (std::is_integral_v<T>) return x;
      return static_cast<T>(function(static_cast<double>(x)));
    });
  });
}

// torch multiplies for the exponents 2 and 3 and takes the root for 0.5.
struct Power {
  template <typename T>
  T operator()(T base, T exponent) const {
    if constexpr (std::is_integral_v<T>) {
      uint64_t result = 1;
      for (T i = 0; i < exponent && i < 64; ++i) result *= static_cast<uint64_t>(base);
      return static_cast<T>(result);
    } else {
      if (exponent == T(2)) return base * base;
      if (exponent == T(3)) return base * base * base;
      if (exponent == T(0.5)) return std::sqrt(base);
      return static_cast<T>(std::pow(double(base), double(exponent)));
    }
  }
};

Value Pow(const Call& call) {
  const Value& exponent = call.Get(1, "exponent");
  const Value& base = call.Get(0, "input");
  const int64_t* integer = exponent.As<int64_t>();
  const bool floating_base =
      base.As<double>() != nullptr ||
      (base.As<Tensor>() != nullptr && IsFloatingDType(base.As<Tensor>()->dtype()));
  if (!floating_base && integer != nullptr && (*integer < 0 || *integer > 63)) {
    call.Fail("integer to the power " + std::to_string(*integer), "0 to 63");
  }
  return Binary(call, base, exponent, Power{});
}

Value Negative(const Call& call) {
  const Value& value = call.Get(0, "input");
  if (const int64_t* integer = value.As<int64_t>()) return -*integer;
  if (const double* real = value.As<double>()) return -*real;
  return SameTypeMap(PlainTensor(call, 0, "input"),
                     [](auto x) { return static_cast<decltype(x)>(-x); });
}

}  // namespace

void AddPointwise(Registry& registry) {
  AddReal(registry, "exp", std::exp);
  AddReal(registry, "log", std::log);
  AddReal(registry, "sqrt", std::sqrt);
  AddReal(registry, "rsqrt", [](double x) { return 1.0 / std::sqrt(x); });
  AddReal(registry, "reciprocal", [](double x) { return 1.0 / x; });
  AddReal(registry, "sin", std::sin);
  AddReal(registry, "cos", std::cos);
  AddReal(registry, "erf", std::erf);
  AddReal(registry, "tanh", std::tanh);
  AddReal(registry, "sigmoid", [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
  for (const auto& [name, type] :
       {std::pair("tanh", "Tanh"), std::pair("sigmoid", "Sigmoid")}) {
    const FunctionDefinition definition =
        *registry.FindFunction(std::string("torch.") + name);
    AddNnFunction(registry, name, definition);
    AddModuleAsFunction(registry, std::string("torch.nn.") + type, definition, {});
  }
  AddRounding(registry, "floor", std::floor);
  AddRounding(registry, "ceil", std::ceil);
  AddRounding(registry, "round", std::nearbyint);
  AddTensorFunction(registry, "abs", [](const Call& call) -> Value {
    return SameTypeMap(PlainTensor(call, 0, "input"),
                       [](auto x) { return static_cast<decltype(x)>(std::abs(x)); });
  });
  registry.AddFunction("operator.abs", *registry.FindFunction("torch.abs"));
  AddTensorFunction(registry, "square", [](const Call& call) -> Value {
    return SameTypeMap(PlainTensor(call, 0, "input"),
                       [](auto x) { return static_cast<decltype(x)>(x * x); });
  });
  AddTensorFunction(registry, "sign", [](const Call& call) -> Value {
    return SameTypeMap(PlainTensor(call, 0, "input"), [](auto x) {
      return static_cast<decltype(x)>((x > 0 ? 1 : 0) - (x < 0 ? 1 : 0));
    });
  });
  AddTensorFunction(registry, "neg", Negative);
  registry.AddFunction("operator.neg", Negative);
  AddTensorFunction(registry, "pow", Pow);
  registry.AddFunction("operator.pow", Pow);
}

}  // namespace qconform
