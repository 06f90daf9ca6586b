// The host's side of a worker process: starts it, hands it calls, watches the
// clock, and turns its death into an outcome. After a death the next call starts
// a fresh process.
#ifndef QCONFORM_CONFORMANCE_HOST_WORKER_H_
#define QCONFORM_CONFORMANCE_HOST_WORKER_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/host/call_target.h"
#include "conformance/host/phase_board.h"
#include "conformance/host/plugin.h"

namespace qconform {

struct WorkerOptions {
  // Program and arguments of the worker: qconform_worker.
  std::vector<std::string> command;
  int64_t time_limit_ms = 30000;             // of loading, and of each call
  uint64_t memory_limit_bytes = 8ull << 30;  // address space; 0: no limit
  // Processor time of loading, and of each call; 0: the time limit, for each thread.
  int64_t cpu_limit_seconds = 0;
  int32_t threads = 1;  // handed to plan
  std::string isa;      // QCONFORM_ISA of the process; empty: this process's own
  // After three calls of an operator kind in a row that hung, the next ones of that kind
  // have a tenth of the time limit, until one of them comes back.
  bool shorten_after_hangs = false;
};

class Worker : public CallTarget {
 public:
  Worker(std::filesystem::path backend, WorkerOptions options);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the process and loads the backend, unless that is done already. Throws
  // BackendError if it is no backend, or crashes or hangs while it is loaded.
  const LoadedBackend& Load() override;

  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override;
  uint64_t MemoryLimit() const override { return options_.memory_limit_bytes; }

  // How often the process was started.
  int starts() const { return starts_; }

 private:
  void Start();
  int64_t CpuLimitSeconds() const;
  void Stop();
  // Waits for the frame that ends a request. False: the worker is gone or hangs, and
  // `outcome` says how.
  bool Await(CallOutcome& outcome, Frame& frame, int64_t limit_ms);
  std::string ReapSignal();
  std::string TakePrinted();

  std::filesystem::path backend_;
  WorkerOptions options_;
  LoadedBackend loaded_;
  bool is_loaded_ = false;
  pid_t process_ = -1;
  int channel_ = -1;
  int printed_file_ = -1;
  int64_t printed_read_ = 0;
  PhaseBoard board_;
  int starts_ = 0;
  std::map<qc_operator_kind, int> hung_in_a_row_;
  std::string printed_on_load_;  // when it was last loaded
};

// "SIGSEGV" for 11; "signal N" for one without a name.
std::string SignalName(int signal_number);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_WORKER_H_
