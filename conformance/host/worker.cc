#include "conformance/host/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/host/starting_thread.h"
#include "conformance/host/worker_process.h"

extern char** environ;

namespace qconform {
namespace {

constexpr size_t kPrintedKept = 4096;
constexpr int kHangsBelieved = 3;
constexpr int64_t kShortening = 10;
// A backend that prints without end is stopped here.
constexpr rlim_t kPrintedLimit = 16 << 20;

// The sanitizers map terabytes of address space for themselves.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitAddressSpace = false;
#else
constexpr bool kLimitAddressSpace = true;
#endif

// This process's environment, with another QCONFORM_ISA unless that is empty.
class EnvironmentWith {
 public:
  explicit EnvironmentWith(const std::string& isa)
      : variable_(std::string(kIsaVariable) + isa) {
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (isa.empty() || !std::string_view(*entry).starts_with(kIsaVariable))
        entries_.push_back(*entry);
    if (!isa.empty()) entries_.push_back(variable_.data());
    entries_.push_back(nullptr);
  }
  char** data() { return entries_.data(); }

 private:
  static constexpr const char* kIsaVariable = "QCONFORM_ISA=";
  std::string variable_;
  std::vector<char*> entries_;
};

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string Text(const Frame& frame) {
  return {reinterpret_cast<const char*>(frame.payload.data()), frame.payload.size()};
}

}  // namespace

std::string SignalName(int signal_number) {
  const char* name = sigabbrev_np(signal_number);
  return name != nullptr ? "SIG" + std::string(name)
                         : "signal " + std::to_string(signal_number);
}

Worker::Worker(std::filesystem::path backend, WorkerOptions options)
    : backend_(std::move(backend)), options_(std::move(options)) {}

Worker::~Worker() { Stop(); }

int64_t Worker::CpuLimitSeconds() const {
  if (options_.cpu_limit_seconds > 0) return options_.cpu_limit_seconds;
  // The judge calls from two threads at once.
  return (options_.time_limit_ms / 1000 + 1) * (int64_t{options_.threads} + 1);
}

void Worker::Start() {
  int channels[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  channel_ = channels[0];
  printed_file_ = memfd_create("qconform_printed", MFD_CLOEXEC);
  printed_read_ = 0;
  fcntl(printed_file_, F_SETFL, O_APPEND);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, printed_file_, 1);
  posix_spawn_file_actions_adddup2(&actions, printed_file_, 2);
  posix_spawn_file_actions_adddup2(&actions, channels[1], kWorkerDescriptor);
  posix_spawn_file_actions_adddup2(&actions, board_.descriptor(), kPhaseDescriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: Ctrl-C reaches the host only, and a kill reaches children.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  for (std::string& word : options_.command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int error = 0;
  OnStartingThread([&] {
    error = posix_spawn(&process_, arguments[0], &actions, &attributes, arguments.data(),
                        EnvironmentWith(options_.isa).data());
  });
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(channels[1]);
  if (error != 0) {
    process_ = -1;
    throw std::system_error(error, std::generic_category(),
                            "cannot start the worker " + options_.command[0]);
  }
  ++starts_;
  if (kLimitAddressSpace && options_.memory_limit_bytes > 0) {
    const rlimit limit = {options_.memory_limit_bytes, options_.memory_limit_bytes};
    prlimit(process_, RLIMIT_AS, &limit, nullptr);
  }
  const auto cpu_seconds = static_cast<rlim_t>(CpuLimitSeconds());
  const rlimit cpu = {cpu_seconds, RLIM_INFINITY};
  prlimit(process_, RLIMIT_CPU, &cpu, nullptr);
  const rlimit printed = {kPrintedLimit, kPrintedLimit};
  prlimit(process_, RLIMIT_FSIZE, &printed, nullptr);
}

void Worker::Stop() {
  if (process_ > 0) ReapSignal();
  for (int* descriptor : {&channel_, &printed_file_}) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
  }
  is_loaded_ = false;
}

// Ends the process if it still lives, and says how it ended.
std::string Worker::ReapSignal() {
  int status = 0;
  // The channel closes a moment before the process is gone.
  for (int wait_ms = 0; wait_ms < 200; ++wait_ms) {
    const pid_t reaped = waitpid(process_, &status, WNOHANG);
    if (reaped != 0) {
      process_ = -1;
      if (reaped < 0) return "lost";
      return WIFSIGNALED(status) ? SignalName(WTERMSIG(status))
                                 : "exit " + std::to_string(WEXITSTATUS(status));
    }
    if (channel_ >= 0 && wait_ms == 0) shutdown(channel_, SHUT_RDWR);
    usleep(1000);
  }
  kill(-process_, SIGKILL);
  waitpid(process_, &status, 0);
  process_ = -1;
  return "closed its channel";
}

std::string Worker::TakePrinted() {
  const off_t size = lseek(printed_file_, 0, SEEK_END);
  std::string text;
  if (size > printed_read_) {
    text.resize(
        std::min<size_t>(static_cast<size_t>(size - printed_read_), kPrintedKept));
    const ssize_t got = pread(printed_file_, text.data(), text.size(), printed_read_);
    text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    printed_read_ = size;
  }
  return text;
}

bool Worker::Await(CallOutcome& outcome, Frame& frame, int64_t limit_ms) {
  ReadStatus status = ReadStatus::kClosed;
  try {
    status = ReadFrame(channel_, limit_ms, frame);
  } catch (const WireError&) {
    // Scribbled over its own memory; what is left of it is of no use.
  }
  if (status == ReadStatus::kFrame) {
    if (frame.kind != FrameKind::kBounds) return true;
    outcome.end = CallEnd::kOutOfBounds;
    outcome.bounds = Text(frame);
  } else if (status == ReadStatus::kTimedOut) {
    outcome.end = CallEnd::kHung;
    kill(-process_, SIGKILL);
  } else {
    outcome.signal = ReapSignal();
    const bool out_of_time = outcome.signal == "SIGXCPU";
    outcome.end = out_of_time ? CallEnd::kHung : CallEnd::kCrashed;
  }
  const Phase last = board_.Last();
  outcome.phase = last.name;
  outcome.asked = last.asked;
  // Of something that it had left running.
  if (outcome.phase.empty()) outcome.phase = "between calls";
  outcome.printed = TakePrinted();
  Stop();
  return false;
}

const LoadedBackend& Worker::Load() {
  if (is_loaded_) return loaded_;
  Stop();
  Start();
  const std::string file = backend_.string();
  CallOutcome outcome;
  Frame frame;
  WriteFrame(channel_, FrameKind::kLoad, file.data(), file.size());
  if (!Await(outcome, frame, options_.time_limit_ms)) {
    if (outcome.end == CallEnd::kHung) {
      throw BackendError(file + ": hangs while it is loaded, expected an answer in " +
                         std::to_string(options_.time_limit_ms) + " ms");
    }
    throw BackendError(file + ": crashes while it is loaded (" + outcome.signal +
                       "), expected a table from qconform_backend");
  }
  if (frame.kind == FrameKind::kUnusable) throw BackendError(Text(frame));
  loaded_ = DecodeBackend(frame.payload);
  is_loaded_ = true;
  printed_on_load_ = TakePrinted();
  return loaded_;
}

CallOutcome Worker::Call(const OperatorCall& call, CallMode mode) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::byte> request =
      EncodeRequest({call, options_.threads, mode, CpuLimitSeconds()});
  CallOutcome outcome;
  Frame frame;
  if (!is_loaded_) {
    Load();
    outcome.start_seconds = SecondsSince(begin);
  }
  board_.Clear();
  int& hung = hung_in_a_row_[call.kind];
  const bool shortened = options_.shorten_after_hangs && hung >= kHangsBelieved;
  const int64_t limit_ms = options_.time_limit_ms / (shortened ? kShortening : 1);
  WriteFrame(channel_, FrameKind::kCall, request.data(), request.size());
  if (Await(outcome, frame, limit_ms)) {
    try {
      outcome.reply = DecodeReply(frame.payload);
    } catch (const WireError&) {
      outcome.end = CallEnd::kCrashed;
      outcome.signal = "scribbled over the worker's memory";
      Stop();
    }
    if (outcome.end == CallEnd::kReplied) outcome.printed = TakePrinted();
  }
  outcome.printed_on_load = printed_on_load_;
  const bool hangs = outcome.end == CallEnd::kHung;
  hung = hangs ? hung + 1 : 0;
  if (hangs && shortened) outcome.shortened_limit_ms = limit_ms;
  outcome.seconds = SecondsSince(begin);
  return outcome;
}

}  // namespace qconform
