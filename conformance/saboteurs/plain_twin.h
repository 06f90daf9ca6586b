// The same case with data that hold no trap: whether it is the data that kill.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_PLAIN_TWIN_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_PLAIN_TWIN_H_

#include <optional>

#include "conformance/cases/conformance_case.h"
#include "reference/golden/golden.h"

namespace qconform {

// Of a suite's case the row with the fill `uniform`; of an operator of the golden the
// call with uniform activations, on its own weights. nullopt: there is none, as of a case
// of the contract, of a whole program, and where only that fill makes the row legal.
std::optional<ConformanceCase> PlainTwin(const std::string& id, const Golden& golden);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_PLAIN_TWIN_H_
