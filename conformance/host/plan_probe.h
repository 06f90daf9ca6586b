// What shows only when an operator is planned again, or watched step by step. Too slow
// for every call: a process does so for the first small call of each operator kind.
#ifndef QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_
#define QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Plans, runs and destroys several times over: memory or threads that grow with every
// turn are kept (kLeak), and every plan names the same path (kPath). Then compares the
// instructions of one run with the path that it claims (kPath). `run` is a run of the
// call without a problem.
void ProbePlans(const qc_backend& table, const CallRequest& request, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_
