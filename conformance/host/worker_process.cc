#include "conformance/host/worker_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "conformance/host/asked_call.h"
#include "conformance/host/guarded_buffer.h"
#include "conformance/host/phase_board.h"
#include "conformance/host/plugin.h"
#include "conformance/host/run_call.h"
#include "conformance/host/wire.h"

namespace qconform {
namespace {

// 1: the fault was a write, 0: a read, -1: this processor does not say.
int FaultWasWrite([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  const auto* machine = static_cast<const ucontext_t*>(context);
  return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? 1 : 0;
#else
  return -1;
#endif
}

// A fault beside one of our buffers is reported as such; any other one ends the
// process as it would have without us.
void OnFault(int signal_number, siginfo_t* info, void* context) {
  static const char* const kVerbs[] = {"touches ", "reads ", "writes "};
  char text[160];
  const char* verb = kVerbs[FaultWasWrite(context) + 1];
  const size_t length = std::strlen(verb);
  std::memcpy(text, verb, length);
  // One that somebody raised has no address.
  const bool is_fault = info->si_code > 0;
  if (is_fault &&
      DescribeGuardedAddress(info->si_addr, text + length, sizeof text - length)) {
    WriteFrame(kWorkerDescriptor, FrameKind::kBounds, text, std::strlen(text));
    _exit(0);
  }
  signal(signal_number, SIG_DFL);
  // Delivered on return: what was raised does not happen again by itself.
  raise(signal_number);
}

void InstallFaultHandler() {
  // A stack of its own, so that a stack overflow is reported too.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void Send(FrameKind kind, const std::vector<std::byte>& payload) {
  // What the backend printed belongs to this call.
  std::fflush(nullptr);
  WriteFrame(kWorkerDescriptor, kind, payload.data(), payload.size());
}

// The limit counts from the start of the process; a call's from here.
void LimitProcessorTime(int64_t seconds) {
  if (seconds <= 0) return;
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const int64_t so_far = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;
  rlimit limit = {};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min(static_cast<rlim_t>(so_far + seconds), limit.rlim_max);
  setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

int RunWorkerProcess() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(SIGINT, SIG_IGN);
  InstallFaultHandler();
  char* const board = OpenPhaseBoard(kPhaseDescriptor);
  const PhaseSink phase = [board](const char* name) {
    WritePhase(board, name, Asked::Now());
  };
  std::unique_ptr<Plugin> plugin;
  Frame frame;
  while (ReadFrame(kWorkerDescriptor, -1, frame) == ReadStatus::kFrame) {
    if (frame.kind == FrameKind::kLoad) {
      const std::string file(reinterpret_cast<const char*>(frame.payload.data()),
                             frame.payload.size());
      phase("load");
      try {
        plugin = std::make_unique<Plugin>(file);
        // Whoever installs one of its own while it is loaded may not keep it.
        InstallFaultHandler();
        Send(FrameKind::kIdentity, EncodeBackend(Describe(plugin->table())));
      } catch (const BackendError& error) {
        const std::string line = error.what();
        WriteFrame(kWorkerDescriptor, FrameKind::kUnusable, line.data(), line.size());
      }
    } else if (frame.kind == FrameKind::kCall && plugin != nullptr) {
      const CallRequest request = DecodeRequest(frame.payload);
      LimitProcessorTime(request.cpu_seconds);
      Send(FrameKind::kReply, EncodeReply(RunCall(plugin->table(), request, phase)));
    }
  }
  // Static destructors of the backend are not part of the judgement.
  _exit(0);
}

}  // namespace qconform
