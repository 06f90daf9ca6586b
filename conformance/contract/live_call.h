// Scales under which a call's codes show a fault.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_
#define QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_

#include <optional>

#include "conformance/contract/fit_call.h"

namespace qconform {

// At a bound of one scale the outputs may all saturate or all be zero. Moves the scale of
// the output, the input, or both by powers of two inside the config's bounds, until they
// do neither; `fixed` stays where it is. Leaves the call as it is if nothing helps.
void KeepLive(const DTypeConfig& config, std::optional<CallSide> fixed,
              OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_
