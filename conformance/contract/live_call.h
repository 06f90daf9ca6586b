// Scales under which a call's codes show a fault.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_
#define QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_

#include <optional>

#include "conformance/contract/fit_call.h"

namespace qconform {

// At a bound of one scale the outputs may all saturate or all be zero. Moves the scales
// of the output and the input, and the float constants (bias, gamma, beta), by powers of
// two inside the config's bounds, until they do neither; `fixed` stays where it is.
// False, and the call as it was, if nothing helps: a hard sigmoid's outputs are what they
// are.
bool KeepLive(const DTypeConfig& config, std::optional<CallSide> fixed,
              OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_LIVE_CALL_H_
