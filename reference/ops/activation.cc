// Activation functions. The piecewise linear ones keep NaN and the sign of zero, as
// torch does; the smooth ones are computed in double and rounded once.
#include <cmath>

#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// torch.clamp: NaN stays, the upper bound wins.
struct Clamp {
  double low;
  double high;
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      if (static_cast<double>(x) < low) x = static_cast<T>(low);
      return static_cast<double>(x) > high ? static_cast<T>(high) : x;
    } else {
      const T bound = static_cast<T>(low);
      const T top = static_cast<T>(high);
      if (x < bound) x = bound;
      return x > top ? top : x;
    }
  }
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The definition with the functional argument `inplace` at `position` obeyed.
FunctionDefinition WithInPlace(const FunctionDefinition& definition, size_t position) {
  return [definition, position](const Call& call) -> Value {
    const bool in_place = call.Boolean(position, "inplace", false);
    return in_place ? InPlace(definition)(call) : definition(call);
  };
}

// torch.nn.functional.NAME(input, ..., inplace) and NAME_.
void AddActivation(Registry& registry, const std::string& name, const std::string& type,
                   const FunctionDefinition& definition,
                   std::vector<std::string> settings = {}, size_t inplace_position = 1) {
  const FunctionDefinition full = WithInPlace(definition, inplace_position);
  AddNnFunction(registry, name, full);
  AddNnFunction(registry, name + "_", InPlace(definition));
  settings.push_back("inplace");
  AddModuleAsFunction(registry, "torch.nn." + type, full, std::move(settings));
}

template <typename Operation>
FunctionDefinition Smooth(Operation op) {
  return [op](const Call& call) -> Value {
    return FloatingMap(PlainTensor(call, 0, "input"), [op](auto x) {
      return static_cast<decltype(x)>(op(static_cast<double>(x)));
    });
  };
}

FunctionDefinition Bounded(double low, double high) {
  return [low, high](const Call& call) -> Value {
    return SameTypeMap(PlainTensor(call, 0, "input"), Clamp{low, high});
  };
}

Value Hardtanh(const Call& call) {
  return SameTypeMap(PlainTensor(call, 0, "input"),
                     Clamp{call.Real(1, "min_val", -1.0), call.Real(2, "max_val", 1.0)});
}

Value ClampFunction(const Call& call) {
  const std::optional<double> low = call.OptionalReal(1, "min");
  const std::optional<double> high = call.OptionalReal(2, "max");
  if (!low && !high) call.Fail("neither min nor max given", "at least one");
  const Tensor& input = PlainTensor(call, 0, "input");
  // A float bound makes an integer tensor float32.
  const Value bound = low ? *call.Find(1, "min") : *call.Find(2, "max");
  const Tensor typed = IsNumber(bound) ? Cast(input, ResultType(input, bound)) : input;
  return SameTypeMap(typed, Clamp{low.value_or(-kInfinity), high.value_or(kInfinity)});
}

Value LeakyRelu(const Call& call) {
  const double slope = call.Real(1, "negative_slope", 0.01);
  return FloatingMap(PlainTensor(call, 0, "input"), [slope](auto x) {
    return x > 0 ? x : x * static_cast<decltype(x)>(slope);
  });
}

Value Elu(const Call& call) {
  const double alpha = call.Real(1, "alpha", 1.0);
  return FloatingMap(PlainTensor(call, 0, "input"), [alpha](auto x) {
    using T = decltype(x);
    return x > 0 ? x
                 : static_cast<T>(double(static_cast<T>(alpha)) * std::expm1(double(x)));
  });
}

Value Gelu(const Call& call) {
  const std::string approximate = call.Text(1, "approximate", "none");
  if (approximate == "none") {
    return Smooth([](double x) {
      return 0.5 * x * (1.0 + std::erf(x * 0.70710678118654752440));
    })(call);
  }
  if (approximate != "tanh") {
    call.Fail("approximate '" + approximate + "'", "'none' or 'tanh'");
  }
  return Smooth([](double x) {
    const double inner = 0.79788456080286535588 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + std::tanh(inner));
  })(call);
}

// The clamp(x + 3, 0, 6) of hardsigmoid and hardswish.
template <typename T>
T ShiftedRelu6(T x) {
  return Clamp{0.0, 6.0}(x + T(3));
}

Value HardSigmoid(const Call& call) {
  return FloatingMap(PlainTensor(call, 0, "input"),
                     [](auto x) { return ShiftedRelu6(x) / decltype(x)(6); });
}

Value HardSwish(const Call& call) {
  return FloatingMap(PlainTensor(call, 0, "input"),
                     [](auto x) { return x * ShiftedRelu6(x) / decltype(x)(6); });
}

// weight has one element or one for each channel (axis 1).
Value PRelu(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  Tensor weight = PlainTensor(call, 1, "weight");
  if (weight.numel() != 1) {
    if (input.rank() < 2 || weight.numel() != input.dim(1)) {
      call.Fail("weight of shape " + ShapeText(weight.shape()) + " for input " +
                    ShapeText(input.shape()),
                "one element or one for each channel");
    }
    Shape shape(static_cast<size_t>(input.rank()) - 1, 1);
    shape[0] = weight.numel();
    weight = weight.Reshaped(std::move(shape));
  } else {
    weight = weight.Reshaped({});
  }
  return Binary(call, input, weight, [](auto x, auto w) { return x > 0 ? x : x * w; });
}

double SiluOf(double x) { return x / (1.0 + std::exp(-x)); }

}  // namespace

void AddActivations(Registry& registry) {
  const FunctionDefinition relu = Bounded(0.0, kInfinity);
  AddActivation(registry, "relu", "ReLU", relu);
  AddTensorFunction(registry, "relu", relu);
  AddInPlaceFunction(registry, "relu", relu);
  AddActivation(registry, "relu6", "ReLU6", Bounded(0.0, 6.0));
  AddActivation(registry, "hardtanh", "Hardtanh", Hardtanh, {"min_val", "max_val"}, 3);
  AddTensorFunction(registry, "clamp", ClampFunction);
  AddInPlaceFunction(registry, "clamp", ClampFunction);
  AddTensorFunction(registry, "clip", ClampFunction);
  AddActivation(registry, "leaky_relu", "LeakyReLU", LeakyRelu, {"negative_slope"}, 2);
  AddActivation(registry, "elu", "ELU", Elu, {"alpha"}, 2);
  AddActivation(registry, "silu", "SiLU", Smooth(SiluOf));
  AddActivation(registry, "mish", "Mish",
                Smooth([](double x) { return x * std::tanh(std::log1p(std::exp(x))); }));
  AddActivation(registry, "hardsigmoid", "Hardsigmoid", HardSigmoid);
  AddActivation(registry, "hardswish", "Hardswish", HardSwish);
  AddNnFunction(registry, "gelu", Gelu);
  AddModuleAsFunction(registry, "torch.nn.GELU", Gelu, {"approximate"});
  AddNnFunction(registry, "prelu", PRelu);
  registry.AddFunction("torch.prelu", PRelu);
  AddModuleAsFunction(registry, "torch.nn.PReLU", PRelu, {"weight"});
}

}  // namespace qconform
