// The forward error bound of an operator: for every element of its outputs the exact
// value and how far a float32 computation may be from it, for the kinds of arithmetic
// that a backend may follow when it names none.
//
// A backend rounds where it likes and sums in any order; what it computes then lies in
// [value - error, value + error]. Rounded with any rule for halves this gives the set of
// codes that each element may take. Derivations stand in the families' files; u and
// gamma_n are those of bounded_value.h.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_ERROR_BOUND_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_ERROR_BOUND_H_

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/error_bound/bounded_tensor.h"

namespace qconform {

struct ArithmeticBound {
  std::string name;     // "int32 sums, float32 multiplier"
  std::string formula;  // of the error, in the output's real units
  std::string inputs;   // what stands in the formula: "n = 576, sx = 0.02, ..."
  // Per output and element, in the units of the output: codes (zero point included, not
  // yet rounded nor clamped), or real values of f32. May be taken once only.
  std::function<std::vector<BoundedValues>()> evaluate;
};

// From the tightest on; inputs with data, as of RunScalarOperator. They must outlive what
// is returned. Empty: the operator has no definition, its accumulators leave 32 bits, or
// its products are too many to bound (`objection` says which; may be nullptr).
std::vector<ArithmeticBound> ErrorBounds(const qc_descriptor& descriptor,
                                         std::span<const qc_tensor* const> inputs,
                                         std::string* objection = nullptr);

// The codes that an element in units of codes may take: all that [value - error,
// value + error] rounds to, halves either way, clamped to [min, max].
struct AllowedCodes {
  int64_t least;
  int64_t most;

  bool Holds(int64_t code) const { return code >= least && code <= most; }
  int64_t count() const { return most - least + 1; }
};
AllowedCodes CodesWithin(const Bounded& value, int64_t min, int64_t max);

// From the value to the nearest half, where the rounding turns over, in codes.
double DistanceToTie(double value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_ERROR_BOUND_H_
