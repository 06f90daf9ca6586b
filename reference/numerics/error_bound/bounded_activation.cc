#include "reference/numerics/error_bound/bounded_activation.h"

#include <algorithm>

namespace qconform {
namespace {

// Absolute errors of functions that reach 1, in u: an implementation by exponentials
// rounds numbers of that size on its way to a small result, 1 - 2 / (e^2x + 1) for tanh:
// the exponential (6), the sum (1), the quotient (5), twice, and the difference (1).
constexpr double kByExponentials = 2 * (kExpRoundings + 1 + kDivisionRoundings) + 1;

double LogisticOf(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// How far f of a number within x.error of x.value is from f(x.value), f rising or falling
// as a whole.
template <typename Function>
double Spread(const Function& f, const Bounded& x) {
  const double value = f(x.value);
  return std::max(std::abs(f(x.value + x.error) - value),
                  std::abs(f(x.value - x.error) - value));
}

Bounded Clamp(const Bounded& x, double low, double high) {
  return {std::min(std::max(x.value, low), high), x.error};
}

Bounded LeakyRelu(const Bounded& x, double slope) {
  const double error = x.error * std::max(1.0, std::abs(slope));
  if (x.value - x.error > 0) return x;
  return Rounded(x.value > 0 ? x.value : x.value * slope, error);
}

// alpha (e^x - 1): the difference may be taken of rounded numbers.
Bounded Elu(const Bounded& x, double alpha) {
  if (x.value - x.error > 0) return x;
  const double steepest = std::max(1.0, std::abs(alpha));
  const Bounded shifted = Subtract(Exp({std::min(x.value, 0.0), 0}), Exact(1));
  Bounded result = Multiply(Exact(alpha), {std::expm1(x.value), shifted.error});
  if (x.value > 0) result.value = x.value;
  result.error += x.error * steepest * std::exp(std::max(x.value + x.error, 0.0));
  return result;
}

// min(max(x + 3, 0), 6) / 6
Bounded HardSigmoid(const Bounded& x) {
  return DivideBy(Clamp(Add(x, Exact(3)), 0, 6), 6);
}

Bounded HardSwish(const Bounded& x) {
  // As a product of two that move together: its slope is (2 x + 3) / 6 at most.
  const double furthest = std::min(std::abs(x.value) + x.error, 3.0);
  const double slope = std::max(1.0, (2 * furthest + 3) / 6);
  Bounded result = Multiply(Exact(x.value), HardSigmoid(Exact(x.value)));
  result.error += slope * x.error;
  return result;
}

// x / 2 (1 + f(x)), whose slope is below 1.13 with both of GELU's f.
Bounded Gelu(const Bounded& x, bool approximate_tanh) {
  constexpr double kSteepest = 1.13;
  Bounded factor;
  if (approximate_tanh) {
    const double cube = 0.044715 * x.value * x.value * x.value;
    const double inner = 0.79788456080286535588 * (x.value + cube);
    const double size = 0.79788456080286535588 * (std::abs(x.value) + std::abs(cube));
    // Cube (3), its factor, their sum, the factor in front.
    factor = BoundedTanh({inner, Gamma(6) * size});
  } else {
    factor = Rounded(std::erf(x.value * 0.70710678118654752440),
                     Gamma(2) * std::abs(x.value), kErfRoundings);
  }
  Bounded result = Multiply(Exact(x.value / 2), Add(Exact(1), factor));
  result.error += kSteepest * x.error;
  return result;
}

// Its slope is below 1.1.
Bounded Silu(const Bounded& x) {
  constexpr double kSteepest = 1.1;
  Bounded result = Multiply(Exact(x.value), BoundedSigmoid(Exact(x.value)));
  result.error += kSteepest * x.error;
  return result;
}

}  // namespace

Bounded BoundedSigmoid(const Bounded& x) {
  return Rounded(LogisticOf(x.value), Spread(LogisticOf, x) + Gamma(kByExponentials), 1);
}

Bounded BoundedTanh(const Bounded& x) {
  const auto tanh_of = [](double at) { return std::tanh(at); };
  return Rounded(std::tanh(x.value), Spread(tanh_of, x) + Gamma(kByExponentials),
                 kTanhRoundings);
}

Bounded BoundedActivation(qc_operator_kind kind, const qc_attributes& a,
                          const Bounded& x) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  switch (kind) {
    case QC_RELU:
      return Clamp(x, 0, kNone);
    case QC_RELU6:
      return Clamp(x, 0, 6);
    case QC_CLAMP:
      return Clamp(x, double{a.minimum}, double{a.maximum});
    case QC_LEAKY_RELU:
      return LeakyRelu(x, double{a.alpha});
    case QC_ELU:
      return Elu(x, double{a.alpha});
    case QC_HARDSWISH:
      return HardSwish(x);
    case QC_HARDSIGMOID:
      return HardSigmoid(x);
    case QC_SIGMOID:
      return BoundedSigmoid(x);
    case QC_TANH:
      return BoundedTanh(x);
    case QC_GELU:
      return Gelu(x, a.approximate_tanh != 0);
    default:
      return x;
  }
}

Bounded BoundedFusedActivation(const qc_attributes& a, const Bounded& x) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  switch (a.activation) {
    case QC_ACTIVATION_RELU:
      return Clamp(x, 0, kNone);
    case QC_ACTIVATION_RELU6:
      return Clamp(x, 0, 6);
    case QC_ACTIVATION_CLAMP:
      return Clamp(x, double{a.activation_min}, double{a.activation_max});
    case QC_ACTIVATION_LEAKY_RELU:
      return LeakyRelu(x, double{a.activation_alpha});
    case QC_ACTIVATION_TANH:
      return BoundedTanh(x);
    case QC_ACTIVATION_GELU:
      return Gelu(x, a.approximate_tanh != 0);
    case QC_ACTIVATION_HARDSWISH:
      return HardSwish(x);
    case QC_ACTIVATION_SILU:
      return Silu(x);
    default:
      return x;
  }
}

}  // namespace qconform
