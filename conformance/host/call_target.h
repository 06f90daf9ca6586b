// Whoever answers operator calls: a worker process, or the backend in this process.
#ifndef QCONFORM_CONFORMANCE_HOST_CALL_TARGET_H_
#define QCONFORM_CONFORMANCE_HOST_CALL_TARGET_H_

#include <cstdint>
#include <string>

#include "conformance/host/call_reply.h"

namespace qconform {

enum class CallEnd : uint8_t {
  kReplied,
  kCrashed,      // by a signal, or the process ended
  kHung,         // the time limit passed
  kOutOfBounds,  // a guard page was hit
};

struct CallOutcome {
  CallEnd end = CallEnd::kReplied;
  CallReply reply;     // of kReplied
  std::string signal;  // of kCrashed: "SIGSEGV", "exit 0"; of kHung: "SIGXCPU" or ""
  std::string phase;   // load, query, plan, run, destroy: the last that began
  std::string asked;   // and how the question differed from the call, "" if not at all
  int64_t shortened_limit_ms = 0;  // of kHung: the time limit, where it was a shorter one
  std::string bounds;   // of kOutOfBounds: "writes past the end of output 0, at +0 B"
  std::string printed;  // what the backend printed, at most 4 KiB
  std::string printed_on_load;  // and while the process that answers loaded it
  double seconds = 0;
  double start_seconds = 0;  // of these, starting the worker anew and loading
};

class CallTarget {
 public:
  virtual ~CallTarget() = default;

  // Loads the backend, unless that is done already. Throws BackendError if it cannot be
  // used.
  virtual const LoadedBackend& Load() = 0;

  // Throws BackendError if the backend cannot be loaded any more.
  virtual CallOutcome Call(const OperatorCall& call, CallMode mode) = 0;

  // Whether buffers are handed over as memory, so that guard pages, alignment, a second
  // call and two threads at once are tried.
  virtual bool SharesMemory() const { return true; }
  // Bytes that whoever answers may map; 0: no limit.
  virtual uint64_t MemoryLimit() const { return 0; }
  CallOutcome Call(const OperatorCall& call) { return Call(call, CallMode::kJudge); }
};

// Of a subject that answers no operator calls: a pipeline.
class NoCallTarget : public CallTarget {
 public:
  const LoadedBackend& Load() override { return nobody_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall&, CallMode) override { return {}; }

 private:
  LoadedBackend nobody_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CALL_TARGET_H_
