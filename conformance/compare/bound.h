// Comparison with the set of codes that the forward error bound of float32 arithmetic
// allows each element, for backends that declare no scheme which the reference knows.
#ifndef QCONFORM_CONFORMANCE_COMPARE_BOUND_H_
#define QCONFORM_CONFORMANCE_COMPARE_BOUND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/operator_call.h"

namespace qconform {

// Against one arithmetic: the tightest that holds all elements, or the one that leaves
// the fewest outside.
struct BoundComparison {
  std::string arithmetic;  // "int32 sums, float32 multiplier"
  std::string formula;     // of the bound
  std::string inputs;      // "n = 576, sx = 0.02, so = 0.1"
  int64_t elements = 0;
  int64_t outside = 0;    // of their sets
  int64_t differing = 0;  // from the reference's own, inside or not
  int64_t choices = 0;    // elements whose set holds more than one code
  int64_t unbounded = 0;  // elements whose set holds every code: it says nothing
  double widest = 0;      // the largest error bound, in codes, or real for f32
  double noise = 0;       // mean square of code less the reference's code
  // The first outside: its place, and a line about exact value, tie and set.
  size_t output = 0;
  int64_t index = 0;
  std::string first;

  bool holds() const { return outside == 0; }
};

// nullopt: no bound can be derived, `objection` says why. `want`: the reference's own
// outputs, by which elements that are no finite numbers are judged.
std::optional<BoundComparison> CompareWithinBound(const OperatorCall& call,
                                                  const std::vector<Bytes>& got,
                                                  const std::vector<Bytes>& want,
                                                  std::string& objection);

// Formula and its inputs in one line: "int32 sums, float32 multiplier: e = ..., u =
// 2^-24; n = 576, ...; at most 3.1e-05 codes".
std::string BoundText(const BoundComparison& comparison);

// The same without a comparison, of outputs that are the reference's own; "none: ..."
// where no bound can be derived.
std::string BoundTextOf(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_BOUND_H_
