#include "conformance/host/exec_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

#include "conformance/host/exec_folder.h"
#include "conformance/host/start_shell.h"
#include "conformance/host/worker.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int64_t kPrintedKept = 4096;
// A command that prints without end is stopped here.
constexpr uint64_t kPrintedLimit = 16 << 20;

// The shell sets the limits, so that whatever it starts has them. Core files of a command
// that crashes on every case would fill the disk.
std::string LimitsOf(const ExecLimits& limits) {
  std::string script = "ulimit -c 0; ";
#if !defined(__SANITIZE_ADDRESS__)
  if (limits.memory_limit_bytes > 0)
    script += fmt::format("ulimit -v {}; ", limits.memory_limit_bytes >> 10);
#endif
  // Soft: the host raises it from folder to folder.
  if (limits.cpu_limit_seconds > 0)
    script += fmt::format("ulimit -S -t {}; ", limits.cpu_limit_seconds);
  script += fmt::format("export QCONFORM_THREADS={}; ", limits.threads);
  if (!limits.isa.empty()) script += "export QCONFORM_ISA='" + limits.isa + "'; ";
  return script;
}

std::string LastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  constexpr size_t kLongest = 500;
  return text.substr(text.rfind('\n') + 1).substr(0, kLongest);
}

std::string ReadSome(const fs::path& file, int64_t from) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(from);
  std::string text(kPrintedKept, '\0');
  stream.read(text.data(), kPrintedKept);
  text.resize(static_cast<size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text;
}

int64_t SizeOf(const fs::path& file) {
  std::error_code missing;
  const uintmax_t size = fs::file_size(file, missing);
  return missing ? 0 : static_cast<int64_t>(size);
}

}  // namespace

ExecProcess::ExecProcess(std::string command, ExecLimits limits, fs::path scratch)
    : command_(std::move(command)),
      limits_(std::move(limits)),
      scratch_(std::move(scratch)) {}

ExecProcess::~ExecProcess() { Stop(); }

void ExecProcess::Start(const fs::path& folder) {
  // A socket rather than a pipe: writing to a command that is gone raises no signal.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  const fs::path printed = scratch_ / "printed.txt";
  std::error_code ignored;
  fs::remove(printed, ignored);
  input_ = ends[0];
  try {
    process_ = StartShell({command_, LimitsOf(limits_), folder, printed}, ends[1]);
  } catch (...) {
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  printed_before_ = 0;
  ++starts_;
}

void ExecProcess::Stop() {
  if (input_ >= 0) close(input_);
  input_ = -1;
  if (process_ <= 0) return;
  kill(-process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

// Of the process that the shell became or waits for; its children count themselves.
void ExecProcess::RaiseCpuLimit() {
  clockid_t clock;
  timespec used;
  if (limits_.cpu_limit_seconds <= 0 || clock_getcpuclockid(process_, &clock) != 0 ||
      clock_gettime(clock, &used) != 0)
    return;
  rlimit limit;
  if (prlimit(process_, RLIMIT_CPU, nullptr, &limit) != 0) return;
  limit.rlim_cur = static_cast<rlim_t>(used.tv_sec + 1) +
                   static_cast<rlim_t>(limits_.cpu_limit_seconds);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  prlimit(process_, RLIMIT_CPU, &limit, nullptr);
}

bool ExecProcess::HandOver(const fs::path& folder) {
  RaiseCpuLimit();
  printed_before_ = SizeOf(scratch_ / "printed.txt");
  const std::string line = folder.string() + "\n";
  return send(input_, line.data(), line.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(line.size());
}

std::string ExecProcess::Printed() const {
  const fs::path file = scratch_ / "printed.txt";
  return ReadSome(file, std::max(printed_before_, SizeOf(file) - kPrintedKept));
}

bool ExecProcess::Await(const fs::path& folder, bool handed_over, ExecOutcome& outcome) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(limits_.time_limit_ms);
  const fs::path done = folder / kExecDoneFile;
  std::error_code missing;
  int status = 0;
  while (true) {
    const bool gone = waitpid(process_, &status, WNOHANG) != 0;
    if (fs::exists(done, missing)) {
      if (fs::exists(folder / kExecRefusedFile, missing)) {
        outcome.end = ExecEnd::kRefused;
        outcome.reason = LastLine(ReadSome(folder / kExecRefusedFile, 0));
      }
      if (gone) {
        // The group may hold children still.
        kill(-process_, SIGKILL);
        process_ = -1;
        Stop();
      }
      return true;
    }
    if (gone) break;
    const bool endless = static_cast<uint64_t>(SizeOf(scratch_ / "printed.txt") -
                                               printed_before_) > kPrintedLimit;
    if (endless || Clock::now() > deadline) {
      outcome.end = endless ? ExecEnd::kCrashed : ExecEnd::kHung;
      if (endless) outcome.signal = "printed without end";
      outcome.printed = Printed();
      Stop();
      return true;
    }
    usleep(500);
  }
  const std::string printed = Printed();
  kill(-process_, SIGKILL);
  process_ = -1;
  Stop();
  // The shell reports a signal of what it started as 128 and its number.
  constexpr int kShellSignal = 128;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const int number = WIFSIGNALED(status)   ? WTERMSIG(status)
                     : code > kShellSignal ? code - kShellSignal
                                           : 0;
  if (number == 0 && code == 0) return !handed_over;
  if (code == kExecRefusal) {
    outcome.end = ExecEnd::kRefused;
    outcome.reason = LastLine(printed);
    return true;
  }
  // Interpreters say it last.
  outcome.printed = LastLine(printed);
  outcome.signal = number > 0 ? SignalName(number) : fmt::format("exit {}", code);
  outcome.end = number == SIGXCPU ? ExecEnd::kHung : ExecEnd::kCrashed;
  return true;
}

ExecOutcome ExecProcess::Answer(const fs::path& folder) {
  ExecOutcome outcome;
  if (process_ > 0 && HandOver(folder) && Await(folder, true, outcome)) return outcome;
  Stop();
  outcome = {};
  Start(folder);
  Await(folder, false, outcome);
  return outcome;
}

}  // namespace qconform
