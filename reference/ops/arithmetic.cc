// add, sub, mul, div and their operator, method and in-place spellings.
#include <cmath>

#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/names.h"

namespace qconform {

void CheckOperands(const Call& call, const Value& a, const Value& b) {
  for (const Value* value : {&a, &b}) {
    const Tensor* tensor = value->As<Tensor>();
    if (tensor != nullptr ? IsQuantizedDType(tensor->dtype()) : !IsNumber(*value)) {
      call.Fail("operand is " + ValueText(*value),
                "a number or a float or integer tensor");
    }
  }
}

namespace {

// Wraps like the machine's integers, without C++'s undefined overflow.
template <typename T>
T Wrapped(uint64_t value) {
  return static_cast<T>(value);
}

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return Wrapped<T>(uint64_t(a) + uint64_t(b));
    return a + b;
  }
};

struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return Wrapped<T>(uint64_t(a) - uint64_t(b));
    return a - b;
  }
};

struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return Wrapped<T>(uint64_t(a) * uint64_t(b));
    return a * b;
  }
};

struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    return b == T(0) && std::is_integral_v<T> ? T(0) : a / b;
  }
};

// Python's and torch's //, which rounds towards minus infinity.
struct FloorDivide {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if (b == -1) return Wrapped<T>(0 - uint64_t(a));
      const T quotient = a / b;
      return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
    } else {
      if (b == T(0)) return a / b;
      const T remainder = std::fmod(a, b);
      T quotient = (a - remainder) / b;
      if (remainder != T(0) && (b < T(0)) != (remainder < T(0))) quotient -= T(1);
      if (quotient == T(0)) return std::copysign(T(0), a / b);
      T floored = std::floor(quotient);
      if (quotient - floored > T(0.5)) floored += T(1);
      return floored;
    }
  }
};

struct Remainder {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0 || b == -1) return 0;
      const T rest = a % b;
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    } else {
      const T rest = std::fmod(a, b);
      return rest != T(0) && (b < T(0)) != (rest < T(0)) ? rest + b : rest;
    }
  }
};

// a + alpha * b with one rounding, as torch's CPU kernels do.
struct AddScaled {
  double alpha;
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return Wrapped<T>(uint64_t(a) +
                        uint64_t(static_cast<int64_t>(alpha)) * uint64_t(b));
    } else {
      return static_cast<T>(double(a) + double(static_cast<T>(alpha)) * double(b));
    }
  }
};

template <typename Operation>
FunctionDefinition Plain(Operation op, bool always_floating = false) {
  return [op, always_floating](const Call& call) -> Value {
    return Binary(call, call.Get(0, "input"), call.Get(1, "other"), op, always_floating);
  };
}

template <typename Operation>
FunctionDefinition Swapped(Operation op, bool always_floating = false) {
  return [op, always_floating](const Call& call) -> Value {
    return Binary(call, call.Get(1, "other"), call.Get(0, "input"), op, always_floating);
  };
}

// A number over a tensor is the reciprocal times the number: two roundings.
// (torch.Tensor.__rtruediv__)
Value TrueDivide(const Call& call) {
  const Value& a = call.Get(0, "input");
  const Value& b = call.Get(1, "other");
  if (a.As<Tensor>() != nullptr || b.As<Tensor>() == nullptr) {
    return Binary(call, a, b, Divide{}, true);
  }
  return Binary(call, Binary(call, 1.0, b, Divide{}, true), a, Multiply{}, true);
}

// operator.add also joins lists, tuples and strings.
Value OperatorAdd(const Call& call) {
  const Value& a = call.Get(0, "a");
  const Value& b = call.Get(1, "b");
  const ValueSequence* x = a.As<ValueSequence>();
  const ValueSequence* y = b.As<ValueSequence>();
  if (x != nullptr && y != nullptr && x->is_tuple == y->is_tuple) {
    ValueSequence joined = *x;
    joined.items.insert(joined.items.end(), y->items.begin(), y->items.end());
    return joined;
  }
  return Binary(call, a, b, Add{});
}

FunctionDefinition Scaled(double sign) {
  return [sign](const Call& call) -> Value {
    const Value& a = call.Get(0, "input");
    const Value& b = call.Get(1, "other");
    const double alpha = call.Real(2, "alpha", 1.0);
    if (alpha != 1.0) return Binary(call, a, b, AddScaled{sign * alpha});
    return sign > 0 ? Binary(call, a, b, Add{}) : Binary(call, a, b, Subtract{});
  };
}

Value Division(const Call& call) {
  const Value& a = call.Get(0, "input");
  const Value& b = call.Get(1, "other");
  const std::string mode = call.Text(2, "rounding_mode", "");
  if (mode.empty()) return Binary(call, a, b, Divide{}, true);
  if (mode == "floor") return Binary(call, a, b, FloorDivide{});
  if (mode != "trunc") call.Fail("rounding_mode '" + mode + "'", "'floor' or 'trunc'");
  return Binary(call, a, b, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (std::is_integral_v<T>) {
      if (y == -1) return Wrapped<T>(0 - uint64_t(x));
      return y == 0 ? T(0) : static_cast<T>(x / y);
    } else {
      return std::trunc(x / y);
    }
  });
}

}  // namespace

void AddArithmetic(Registry& registry) {
  const auto add_operator = [&](const std::string& name, const FunctionDefinition& f) {
    registry.AddFunction("operator." + name, f);
    registry.AddFunction("operator.i" + name, InPlace(f));
  };
  registry.AddFunction("operator.add", OperatorAdd);
  registry.AddFunction("operator.iadd", InPlace(OperatorAdd));
  add_operator("sub", Plain(Subtract{}));
  add_operator("mul", Plain(Multiply{}));
  add_operator("truediv", TrueDivide);
  add_operator("floordiv", Plain(FloorDivide{}));
  add_operator("mod", Plain(Remainder{}));

  const auto add_function = [&](const std::string& name, const FunctionDefinition& f) {
    AddTensorFunction(registry, name, f);
    AddInPlaceFunction(registry, name, f);
  };
  add_function("add", Scaled(1.0));
  add_function("sub", Scaled(-1.0));
  add_function("subtract", Scaled(-1.0));
  add_function("mul", Plain(Multiply{}));
  add_function("multiply", Plain(Multiply{}));
  add_function("div", Division);
  add_function("divide", Division);
  add_function("true_divide", Plain(Divide{}, true));
  add_function("floor_divide", Plain(FloorDivide{}));
  add_function("remainder", Plain(Remainder{}));
  AddTensorFunction(registry, "rsub", Swapped(Subtract{}));
}

}  // namespace qconform
