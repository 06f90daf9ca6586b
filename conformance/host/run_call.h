// Makes one operator call on a loaded backend, with every trap set. Runs inside
// the worker; a backend that misbehaves may never return from here.
#ifndef QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_

#include "conformance/host/call_reply.h"
#include "conformance/host/phase_board.h"
#include "conformance/host/run_series.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Asks query (ask_backend.h) and partition (check_partition.h), then in every memory
// format that query accepts: plan with constants that are taken back afterwards, and runs
// in fresh memory (run_series.h). Inputs are read-only. The first calls of each kind also
// go through plan_probe.h, other_plan.h, thread_use.h, unknown_values.h and
// other_spelling.h. With kOnce only the first format and the first run. The process must
// be as it was then (process_state.h).
CallReply RunCall(const qc_backend& table, const CallRequest& request,
                  const PhaseSink& phase);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_RUN_CALL_H_
