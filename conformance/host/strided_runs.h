// Memory formats that a backend takes which takes any stride: too many for every call.
#ifndef QCONFORM_CONFORMANCE_HOST_STRIDED_RUNS_H_
#define QCONFORM_CONFORMANCE_HOST_STRIDED_RUNS_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// The one of StridedFormats that this call is run in, by a hash of its operator and
// shapes: the same each time, and over many calls every one. Elements that lie apart
// would multiply the memory of a large call, and are for small ones.
MemoryFormat StridedFormatOf(const OperatorCall& call);

// Runs the call in all the others, if `answer` takes any stride and the call is the first
// small one of its operator kind and rank in this process. Each adds a run to the reply,
// to be judged; stops at the first problem. Precondition: no run so far has one.
void RunInOtherStrides(const qc_backend& table, const CallRequest& request,
                       const qc_answer& answer, CallReply& reply);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_STRIDED_RUNS_H_
