// A real number with a bound of how far a float32 computation of it may be off: the
// standard model of rounding, fl(a op b) = (a op b)(1 + d) with |d| <= u = 2^-24.
// (Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 and 3)
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_VALUE_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_VALUE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace qconform {

// u, and 2^-20 of it for what the double arithmetic below is itself off by.
inline constexpr double kUnitRoundoff = 0x1p-24 * (1 + 0x1p-20);
// A result below the normal numbers may become zero.
inline constexpr double kUnderflow = 0x1p-126;

// gamma_n = n u / (1 - n u): n roundings of one value, or a sum of n + 1 terms in any
// order. Infinite where n u reaches 1.
inline double Gamma(double n) {
  const double nu = n * kUnitRoundoff;
  return nu < 1 ? nu / (1 - nu) : std::numeric_limits<double>::infinity();
}

// The largest relative error of a float32 function, in roundings: an error of one unit in
// the last place is 2 u at most. The units are those that OpenCL grants a full profile
// (The OpenCL C Specification, relative error as ULPs).
inline constexpr double kDivisionRoundings = 2 * 2.5;
inline constexpr double kSqrtRoundings = 2 * 3;
inline constexpr double kExpRoundings = 2 * 3;
inline constexpr double kTanhRoundings = 2 * 5;
inline constexpr double kErfRoundings = 2 * 16;

struct Bounded {
  double value = 0;  // exact, up to double
  double error = 0;  // the computed number lies in [value - error, value + error]

  double magnitude() const { return std::abs(value) + error; }
};

// A number that is given, not computed.
inline Bounded Exact(double value) { return {value, 0}; }

// `value`, whose operands are off so that it is by `error`, after roundings of its own.
inline Bounded Rounded(double value, double error, double roundings = 1) {
  return {value, error + Gamma(roundings) * (std::abs(value) + error) + kUnderflow};
}

inline Bounded Add(const Bounded& a, const Bounded& b) {
  return Rounded(a.value + b.value, a.error + b.error);
}

inline Bounded Subtract(const Bounded& a, const Bounded& b) {
  return Rounded(a.value - b.value, a.error + b.error);
}

inline Bounded Multiply(const Bounded& a, const Bounded& b) {
  return Rounded(a.value * b.value, std::abs(a.value) * b.error +
                                        std::abs(b.value) * a.error + a.error * b.error);
}

// Unbounded where b may be zero.
inline Bounded Divide(const Bounded& a, const Bounded& b,
                      double roundings = kDivisionRoundings) {
  const double value = a.value / b.value;
  const double least = std::abs(b.value) - b.error;
  if (!(least > 0)) return {value, std::numeric_limits<double>::infinity()};
  return Rounded(value, (a.error + std::abs(value) * b.error) / least, roundings);
}

// By a number known beforehand: a division, or a multiplication by its reciprocal.
inline Bounded DivideBy(const Bounded& a, double b) { return Divide(a, Exact(b), 2); }

inline Bounded Sqrt(const Bounded& x) {
  const double value = std::sqrt(x.value);
  const double least = std::sqrt(std::max(x.value - x.error, 0.0));
  const double most = std::sqrt(x.value + x.error);
  return Rounded(value, std::max(value - least, most - value), kSqrtRoundings);
}

inline Bounded Exp(const Bounded& x) {
  const double value = std::exp(x.value);
  return Rounded(value, value * std::expm1(x.error), kExpRoundings);
}

// Of terms in any order.
class BoundedSum {
 public:
  void Add(const Bounded& term) {
    value_ += term.value;
    error_ += term.error;
    magnitude_ += term.magnitude();
    ++terms_;
  }
  // The term as often as `count` says.
  void Add(const Bounded& term, int64_t count) {
    const auto n = static_cast<double>(count);
    value_ += n * term.value;
    error_ += n * term.error;
    magnitude_ += n * term.magnitude();
    terms_ += count;
  }
  int64_t terms() const { return terms_; }
  Bounded Total() const {
    const double roundings = terms_ > 0 ? static_cast<double>(terms_ - 1) : 0.0;
    return {value_, error_ + Gamma(roundings) * magnitude_};
  }

 private:
  double value_ = 0;
  double error_ = 0;
  double magnitude_ = 0;
  int64_t terms_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_VALUE_H_
