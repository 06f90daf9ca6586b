// The rules of error_bound.h by kind of operator.
#ifndef QCONFORM_CLI_PARITY_ERROR_RULES_H_
#define QCONFORM_CLI_PARITY_ERROR_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/value.h"

namespace qconform::parity {

enum class ErrorRule {
  kUnknown,
  kMove,        // moves or selects values
  kExtreme,     // max, min and their kin
  kLipschitz,   // elementwise, with a constant
  kMonotone,    // the formula of error_bound.h
  kNormalize,   // layer, group, instance norm
  kUnitVector,  // x / |x|
  kGate,        // glu
  kDifference,  // a - b, a / b
  kRecurrent,   // RNN, LSTM, GRU and their cells
};

// By the last part of the function's name, the method, or the class of the module.
ErrorRule RuleOf(const std::string& operation);
// Of an elementwise function; 1 if not listed.
double LipschitzConstant(const std::string& operation);

// u of error_bound.h.
inline constexpr double kUnit = 0x1p-24;
// A bound is rounded up when it is stored in float32.
inline float RoundedUp(double value) { return static_cast<float>(value * (1 + 0x1p-22)); }

// Elementwise helpers over float32 tensors of one shape.
Tensor Absolute(const Tensor& x);
// |x| + e; e may be nullptr.
Tensor AbsoluteWithError(const Tensor& x, const Tensor* error);
// max(a - b, 0) + factor * |a|.
Tensor GapWithRounding(const Tensor& a, const Tensor& b, double factor);

// E(y) of a norm over groups of the input. With n elements a group, X = max |x|, D the
// largest deviation, e = max E(x):
//   E(mean) = e + gamma(n) X,  E(var) = 2 D (e + E(mean)) + gamma(n + 2) D^2,
//   E(y) = |w| r (E(x) + E(mean) + D E(var) / (var + eps)) + 8 u (|y| + |b|)
struct NormGroups {
  int64_t group_size;  // consecutive elements that are normalized together
  double eps;
};
Tensor NormalizeError(const Tensor& x, const Tensor& y, const Tensor* error,
                      double largest_weight, double largest_bias,
                      const NormGroups& groups);

// E(y) of y = x / |x|, the length |x| taken along some axis of at most K = x.numel()
// elements. With e = max E(x) and n the smallest length, which x / y shows:
//   E(y) = (E(x) + |y| sqrt(K) e) / n + (gamma(K + 2) + 4 u) |y|
Tensor UnitVectorError(const Tensor& x, const Tensor& y, const Tensor* error);

// E(y) of y = a sigmoid(b), a and b the halves of x along an axis:
//   E(y) = E(a) + (|a| + E(a)) E(b) / 4 and the roundings of the function
Tensor GateError(const Tensor& x, const Tensor& y, const Tensor* error, int axis);

// E(y) of a fake-quantizer whose range is known up to e = max E(x): E(s) = 2 e / steps
// and two roundings; a code moves by one where its value comes within E(x) / s + |x| E(s)
// / s^2 of a tie, and every code q gives q E(s). The zero point is taken as equal.
Tensor FakeQuantizeError(const Tensor& x, const Tensor& y, const Tensor& error,
                         double scale, double steps);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_ERROR_RULES_H_
