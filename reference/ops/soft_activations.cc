// Activations made of an exponential or a logarithm, and those that cut a band out.
#include <algorithm>
#include <cmath>

#include "reference/ops/axis.h"
#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// op(double) of every element, rounded once.
template <typename Operation>
Value InDouble(const Call& call, Operation op) {
  return FloatingMap(PlainTensor(call, 0, "input"), [op](auto x) {
    return static_cast<decltype(x)>(op(static_cast<double>(x)));
  });
}

// torch goes over to the identity where beta x exceeds the threshold.
Value Softplus(const Call& call) {
  const double beta = call.Real(1, "beta", 1.0);
  const double threshold = call.Real(2, "threshold", 20.0);
  return InDouble(call, [=](double x) {
    return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta;
  });
}

// scale (max(0, x) + min(0, alpha (exp(x / width) - 1))).
Value ExponentialUnit(const Call& call, double alpha, double scale, double width) {
  return InDouble(call, [=](double x) {
    return scale * (x > 0 ? x : alpha * std::expm1(x / width));
  });
}

Value Celu(const Call& call) {
  const double alpha = call.Real(1, "alpha", 1.0);
  call.Ignore(2, "inplace");
  return ExponentialUnit(call, alpha, 1.0, alpha);
}

// The constants of Klambauer et al., Self-Normalizing Neural Networks (2017).
Value Selu(const Call& call) {
  call.Ignore(1, "inplace");
  return ExponentialUnit(call, 1.6732632423543772848, 1.0507009873554804934, 1.0);
}

Value LogSigmoid(const Call& call) {
  return InDouble(call, [](double x) {
    return std::min(x, 0.0) - std::log1p(std::exp(-std::fabs(x)));
  });
}

Value Softsign(const Call& call) {
  return FloatingMap(PlainTensor(call, 0, "input"),
                     [](auto x) { return x / (std::abs(x) + decltype(x)(1)); });
}

Value Tanhshrink(const Call& call) {
  return FloatingMap(PlainTensor(call, 0, "input"), [](auto x) {
    using T = decltype(x);
    return x - static_cast<T>(std::tanh(static_cast<double>(x)));
  });
}

Value Hardshrink(const Call& call) {
  const double width = call.Real(1, "lambd", 0.5);
  return FloatingMap(PlainTensor(call, 0, "input"), [width](auto x) {
    using T = decltype(x);
    return x >= -static_cast<T>(width) && x <= static_cast<T>(width) ? T(0) : x;
  });
}

Value Softshrink(const Call& call) {
  const double width = call.Real(1, "lambd", 0.5);
  return FloatingMap(PlainTensor(call, 0, "input"), [width](auto x) {
    using T = decltype(x);
    const T w = static_cast<T>(width);
    return x > w ? x - w : (x < -w ? x + w : x * T(0));
  });
}

Value Threshold(const Call& call) {
  const double threshold = call.Real(1, "threshold");
  const double value = call.Real(2, "value");
  call.Ignore(3, "inplace");
  return FloatingMap(PlainTensor(call, 0, "input"), [=](auto x) {
    using T = decltype(x);
    return x <= static_cast<T>(threshold) ? static_cast<T>(value) : x;
  });
}

// The first half of the axis times the sigmoid of the second.
Value Glu(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim", -1), input.rank(), call);
  const int64_t half = input.dim(axis) / 2;
  if (input.dim(axis) % 2 != 0) {
    call.Fail("axis of size " + std::to_string(input.dim(axis)), "an even size");
  }
  return Binary(call, Narrow(input, axis, 0, half), Narrow(input, axis, half, half),
                [](auto a, auto b) {
                  using T = decltype(a);
                  return a * static_cast<T>(1.0 / (1.0 + std::exp(-double(b))));
                });
}

}  // namespace

void AddSoftActivations(Registry& registry) {
  const auto add = [&](const std::string& function, const std::string& module,
                       const FunctionDefinition& definition,
                       const std::vector<std::string>& settings = {}) {
    AddNnFunction(registry, function, definition);
    AddModuleAsFunction(registry, "torch.nn." + module, definition, settings);
  };
  add("softplus", "Softplus", Softplus, {"beta", "threshold"});
  add("celu", "CELU", Celu, {"alpha"});
  add("selu", "SELU", Selu);
  add("logsigmoid", "LogSigmoid", LogSigmoid);
  add("softsign", "Softsign", Softsign);
  add("tanhshrink", "Tanhshrink", Tanhshrink);
  add("hardshrink", "Hardshrink", Hardshrink, {"lambd"});
  add("softshrink", "Softshrink", Softshrink, {"lambd"});
  add("threshold", "Threshold", Threshold, {"threshold", "value"});
  add("glu", "GLU", Glu, {"dim"});
  registry.AddFunction("torch.celu", Celu);
  registry.AddFunction("torch.selu", Selu);
}

}  // namespace qconform
