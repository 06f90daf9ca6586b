// How many threads a plan really uses, pools that live on and threads that end with the
// run alike.
#ifndef QCONFORM_CONFORMANCE_HOST_THREAD_USE_H_
#define QCONFORM_CONFORMANCE_HOST_THREAD_USE_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Processor time of all threads of this process but the calling one.
class OtherThreads {
 public:
  OtherThreads();  // until now

  // Of those that live, by thread id.
  const std::map<pid_t, std::chrono::nanoseconds>& living() const { return living_; }
  // Of all, those that have ended too.
  std::chrono::nanoseconds total() const { return total_; }

  // How many have run since `before`; what has ended meanwhile counts as one.
  int RunSince(const OtherThreads& before) const;

 private:
  std::map<pid_t, std::chrono::nanoseconds> living_;
  std::chrono::nanoseconds total_{0};
};

// Whether no call of this operator kind, or only much smaller ones, have been looked at
// in this process. Says so once.
bool TakeForThreads(const qc_backend& table, const OperatorCall& call);

// Plans for one thread and for two; `run` is a run of the call without a problem. More
// that run in each of several runs, where nobody did so right before it, are
// kThreadCount. Threads that never rest hide themselves.
void CheckThreads(const qc_backend& table, const CallRequest& request, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_THREAD_USE_H_
