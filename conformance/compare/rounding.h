// Differences that come from another way of rounding.
#ifndef QCONFORM_CONFORMANCE_COMPARE_ROUNDING_H_
#define QCONFORM_CONFORMANCE_COMPARE_ROUNDING_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/compare/exact.h"
#include "conformance/compare/hypotheses.h"

namespace qconform {

// Precondition: every wrong code is off by one. Names the rule that gives all of
// `got`; otherwise says whether all differences lie at ties. nullopt: the reference
// cannot tell the values before rounding.
std::optional<Cause> FindRounding(const OperatorCall& call, const std::string& scheme,
                                  const std::vector<Bytes>& got,
                                  const std::vector<Bytes>& want);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_ROUNDING_H_
