// The backend in this process, for a debugger: a crash of it is a crash of ours.
#ifndef QCONFORM_CONFORMANCE_HOST_IN_PROCESS_H_
#define QCONFORM_CONFORMANCE_HOST_IN_PROCESS_H_

#include <filesystem>
#include <memory>

#include "conformance/host/call_target.h"
#include "conformance/host/plugin.h"

namespace qconform {

class InProcess : public CallTarget {
 public:
  // With `stop_before_run` the first run of each call raises SIGTRAP.
  InProcess(std::filesystem::path backend, int32_t threads, bool stop_before_run);

  const LoadedBackend& Load() override;
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override;

 private:
  std::filesystem::path backend_;
  int32_t threads_;
  bool stop_before_run_;
  std::unique_ptr<Plugin> plugin_;
  LoadedBackend loaded_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_IN_PROCESS_H_
