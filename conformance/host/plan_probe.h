// What shows only when an operator is planned or run again and again, for many threads,
// or watched step by step. Too slow for every call: a process does so for the first small
// calls of each operator kind.
#ifndef QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_
#define QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Whether its outputs are not empty and its inputs small.
bool IsSmallEnoughToProbe(const OperatorCall& call);

// Whether it is the first small one in this process of its kind and of its class: those
// whose channels are whole vectors of 8, and the others, which take other ways through a
// kernel. Says so once.
bool TakeFirstOfItsClass(const qc_backend& table, const OperatorCall& call);

// `run` is a run of the call without a problem. What TakeFirstOfItsClass says to be
// `first_of_its_class` goes through many_runs.h. The first of its kind is planned, run
// and destroyed several times over, and query is asked as often: memory, files or threads
// that grow with every turn are kept (kLeak), every plan names the same path (kPath) and
// gives the same bits (kPlans). Then
// compares the instructions of one run with the path that it claims (kPath).
void ProbePlans(const qc_backend& table, const CallRequest& request,
                bool first_of_its_class, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PLAN_PROBE_H_
