#include "conformance/host/in_process.h"

#include <chrono>
#include <csignal>
#include <string_view>
#include <utility>

#include "conformance/host/run_call.h"

namespace qconform {

InProcess::InProcess(std::filesystem::path backend, int32_t threads, bool stop_before_run)
    : backend_(std::move(backend)),
      threads_(threads),
      stop_before_run_(stop_before_run) {}

const LoadedBackend& InProcess::Load() {
  if (plugin_ != nullptr) return loaded_;
  plugin_ = std::make_unique<Plugin>(backend_);
  loaded_ = Describe(plugin_->table());
  return loaded_;
}

CallOutcome InProcess::Call(const OperatorCall& call, CallMode mode) {
  const auto begin = std::chrono::steady_clock::now();
  Load();
  CallOutcome outcome;
  bool stopped = !stop_before_run_;
  const auto phase = [&](const char* name) {
    outcome.phase = name;
    if (stopped || std::string_view(name) != "run") return;
    stopped = true;
    std::raise(SIGTRAP);
  };
  outcome.reply = RunCall(plugin_->table(), {call, threads_, mode}, phase);
  outcome.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace qconform
