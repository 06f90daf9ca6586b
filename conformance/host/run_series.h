// One plan of a call and its runs: flush to guard pages, misaligned, from two threads,
// beside another plan and in place.
#ifndef QCONFORM_CONFORMANCE_HOST_RUN_SERIES_H_
#define QCONFORM_CONFORMANCE_HOST_RUN_SERIES_H_

#include <vector>

#include "conformance/host/call_reply.h"
#include "conformance/host/guarded_buffer.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

struct Series {
  MemoryFormat format;
  Placement constants;
  std::vector<Placement> turns;  // a run each, in memory of its own
  int32_t threads = 1;           // handed to plan
  // Then also in place, from two threads at once, one of which is stopped within a run
  // so many times, and beside another plan.
  bool may_alias = false;
  bool two_threads = false;
  int pauses = 0;
  bool beside_another_plan = false;
};

// Every format is run twice, the first also in place if it may be. One of them, the
// second if there is one, is run in misaligned memory and planned for more threads: one
// more, and half of the calls that are too large for a probe (plan_probe.h) for one of
// kManyThreads. With kOnce the first format and one run.
std::vector<Series> SeriesOf(const CallRequest& request, const qc_answer& answer);

FormatRun RunSeries(const qc_backend& table, const CallRequest& request,
                    const Series& series);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_RUN_SERIES_H_
