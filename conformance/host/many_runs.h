// One plan run many times, and plans for other numbers of threads: the bits stay.
#ifndef QCONFORM_CONFORMANCE_HOST_MANY_RUNS_H_
#define QCONFORM_CONFORMANCE_HOST_MANY_RUNS_H_

#include <array>

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// More than a small machine has: powers of two and others.
inline constexpr std::array<int32_t, 4> kManyThreads = {4, 7, 8, 16};

// Runs one plan so often that a counter of four bits wraps. Other bits than those of
// `run` are kRepeat.
void RunManyTimes(const qc_backend& table, const CallRequest& request, FormatRun& run);

// Plans for 1, 2 and each of kManyThreads threads, but for the request's own number.
// Other bits than those of `run` are kThreadCount.
void PlanForOtherThreads(const qc_backend& table, const CallRequest& request,
                         FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_MANY_RUNS_H_
