// Scales under which a call's codes show a fault.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_LIVE_CALL_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_LIVE_CALL_H_

#include <optional>
#include <string>

#include "conformance/contract/kernel/fit_call.h"

namespace qconform {

// At a bound of one scale the outputs may all saturate or all be zero. Moves the scales
// of the output and the input, and the float constants (bias, gamma, beta), by powers of
// two inside the config's bounds, until they do neither; `fixed` stays where it is.
// False, and the call as it was, if nothing helps: a hard sigmoid's outputs are what they
// are.
bool KeepLive(const DTypeConfig& config, std::optional<CallSide> fixed,
              OperatorCall& call);

// FitCall, then the reference's own scheme where the call's is none of the fitted call's,
// and KeepLive. Empty, or why the call cannot be judged under the dtype config.
std::string FitLive(const DTypeConfig& config, OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_LIVE_CALL_H_
