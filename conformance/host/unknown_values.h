// What no release of the ABI has: a backend must say no to it, in words.
#ifndef QCONFORM_CONFORMANCE_HOST_UNKNOWN_VALUES_H_
#define QCONFORM_CONFORMANCE_HOST_UNKNOWN_VALUES_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Asks query for the call under operator kinds, dtypes and attribute values that no
// release has: a yes, a no without a word and an error are kUnknownValue. And with
// attributes that end before what is zero in them, with a guard page behind: query reads
// no further, and answers as before or says no. The first time in this process that a
// kind of operator comes along, which query accepts.
void AskUnknownValues(const qc_backend& table, const OperatorCall& call, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_UNKNOWN_VALUES_H_
