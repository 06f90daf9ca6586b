// The same plan on other inputs: a result that is kept from one run shows only there.
#ifndef QCONFORM_CONFORMANCE_HOST_OTHER_INPUTS_H_
#define QCONFORM_CONFORMANCE_HOST_OTHER_INPUTS_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// The call with other codes and real values in what is no constant: in reverse order, and
// changed by a bit each. Indices stay.
OperatorCall CallOfOtherInputs(const OperatorCall& call);

// Runs one plan on the call's inputs, on others and on the call's again, and a fresh plan
// on them in another order. Each input must give its own bits in every run (kRepeat).
// `run` is a run of the call without a problem.
void RunOnOtherInputs(const qc_backend& table, const CallRequest& request,
                      FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_OTHER_INPUTS_H_
