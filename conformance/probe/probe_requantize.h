// How a black box turns accumulators into codes.
#ifndef QCONFORM_CONFORMANCE_PROBE_PROBE_REQUANTIZE_H_
#define QCONFORM_CONFORMANCE_PROBE_PROBE_REQUANTIZE_H_

#include <optional>

#include "conformance/host/call_target.h"
#include "conformance/probe/probe_report.h"

namespace qconform {

// A backend is asked no more than this.
inline constexpr int kMostProbeCalls = 1000;

// Through linear or convolution; `kind` chooses one of them, 0 the first that the backend
// takes. Without an accepted form, `form` of the report is empty and `first_disagreement`
// says what was refused.
ProbeReport ProbeRequantize(CallTarget& target, int32_t kind = 0);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_PROBE_REQUANTIZE_H_
