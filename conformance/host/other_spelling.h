// One call in all the words that the ABI leaves to a caller (Spelling in abi_view.h).
#ifndef QCONFORM_CONFORMANCE_HOST_OTHER_SPELLING_H_
#define QCONFORM_CONFORMANCE_HOST_OTHER_SPELLING_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Asks, plans and runs the call of `run` in every other spelling that it has, the first
// time in this process that a kind of operator has it. Another answer and other bits are
// kSpelling. Precondition: `run` has no problem.
void RunSpelledOtherwise(const qc_backend& table, const CallRequest& request,
                         FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_OTHER_SPELLING_H_
