// The bounds inside which a black box accepts a call and computes it right.
#ifndef QCONFORM_CONFORMANCE_INFER_BOUND_SEARCH_H_
#define QCONFORM_CONFORMANCE_INFER_BOUND_SEARCH_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/infer/call_check.h"
#include "reference/config/dtype_config.h"

namespace qconform {

// Scales outside of [2^-40, 2^40] are not tried: no observer chooses them, and a bound
// out there is none to anybody.
inline constexpr int kLargestScaleExponent = 40;

struct InferredBounds {
  CallAnswer answer;   // of the widest call that was tried, if none is honoured
  OperatorCall call;   // one that is honoured, in the bounds that were found
  DTypeConfig dtypes;  // with the bounds that were found
  std::vector<std::string> notes;  // what a config cannot say
};

// `call` holds `plain`'s dtypes with whole ranges of codes; `declared` (or nullptr) has
// the same dtypes and is tried where that is refused or wrong. Each bound is found by
// bisection, to the code and to the unit in the last place, with the others where they
// are: what a backend honours need not be a box, this is the box around one point.
InferredBounds FindBounds(const OperatorCall& call, const DTypeConfig& plain,
                          const DTypeConfig* declared, CallChecker& checker);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_INFER_BOUND_SEARCH_H_
