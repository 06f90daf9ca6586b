// Makes one operator call on a loaded backend, with every trap set. Runs inside
// the worker; a backend that misbehaves may never return from here.
#ifndef QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_

#include <functional>

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Told the name of the ABI call that begins: "query", "plan", "run", "destroy".
using PhaseSink = std::function<void(const char*)>;

// In every memory format that query accepts: plan with constants that are taken back
// afterwards, then runs in fresh memory: flush to the guard page behind, flush to the one
// in front, and once misaligned. In the first format also from two threads at once.
// Inputs are read-only. With kOnce only the first format and the first run.
CallReply RunCall(const qc_backend& table, const CallRequest& request,
                  const PhaseSink& phase);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_
