// How much an elementwise function or a softmax rounds by itself.
#ifndef QCONFORM_CLI_PARITY_FUNCTION_ROUNDING_H_
#define QCONFORM_CLI_PARITY_FUNCTION_ROUNDING_H_

#include <string>

#include "reference/ir/tensor.h"

namespace qconform::parity {

// Selects, clamps or rounds once: equal on equal inputs everywhere. By the last part of
// its name, as RuleOf.
bool IsExactFunction(const std::string& operation);

// What the function's own rounding is relative to, at element i: |y|; max(|x|, |y|) where
// it is x times, or x minus, a number that is rounded near zero or one (gelu, mish,
// tanhshrink, elu and their like).
double RoundedSize(const std::string& operation, const Tensor& x, const Tensor& y,
                   int64_t i);

// The largest derivative within `error` of element i: LipschitzConstant of error_rules.h
// where the function has one, else that of exp, log, sqrt, rsqrt or reciprocal there.
double SlopeAt(const std::string& operation, const Tensor& x, const Tensor& y, int64_t i,
               double error);
// The same of the power of a number.
double PowerSlope(double exponent, double x, double error);

// max(x) - min(x) for a softmax, whose exponents x - max(x) are rounded relative to their
// size; 0 for other functions.
double SoftmaxRange(const std::string& operation, const Tensor& x);

// E(y) of y = a - b: E(a) + E(b) and one rounding. An error that is nullptr is zero.
Tensor DifferenceError(const Tensor* a_error, const Tensor* b_error, const Tensor& y);

// E(y) of y = a / b: (E(a) + |y| E(b)) / (|b| - E(b)) and one rounding; infinite where b
// may be zero.
Tensor QuotientError(const Tensor* a_error, const Tensor& b, const Tensor* b_error,
                     const Tensor& y);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_FUNCTION_ROUNDING_H_
