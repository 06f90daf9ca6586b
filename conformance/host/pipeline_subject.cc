#include "conformance/host/pipeline_subject.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <system_error>

#include "conformance/host/worker.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

extern char** environ;

namespace qconform {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kPrinted[] = "printed.txt";

fs::path MakeScratch() {
  const char* room = std::getenv("TMPDIR");
  std::string name =
      std::string(room == nullptr ? "/tmp" : room) + "/qconform_pipeline_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot make " + name);
  }
  return name;
}

std::string CaseName(size_t index) { return fmt::format("{:06}", index); }

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string LastLine(const fs::path& file) {
  std::string text;
  try {
    text = ReadFileBytes(file);
  } catch (const InputError&) {
    return "";
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1).substr(0, 500);
}

pid_t Start(const std::string& command, const fs::path& folder) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, (folder / kPrinted).c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: a kill reaches children.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const std::string script = command + " \"$0\"";
  std::string words[] = {"/bin/sh", "-c", script, folder.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       nullptr};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "cannot start " + command);
  }
  return process;
}

}  // namespace

PipelineSubject::PipelineSubject(std::string command,
                                 std::shared_ptr<const BackendConfig> config,
                                 PipelineOptions options)
    : command_(std::move(command)),
      config_(std::move(config)),
      options_(options),
      scratch_(MakeScratch()) {}

PipelineSubject::~PipelineSubject() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

void PipelineSubject::Plan(std::vector<std::function<PipelineRequest()>> requests) {
  requests_ = std::move(requests);
  outcomes_.clear();
  outcomes_.resize(requests_.size());
}

PipelineOutcome PipelineSubject::Ask(size_t index) {
  if (outcomes_.at(index) == nullptr) RunBatch(index);
  const std::unique_ptr<PipelineOutcome> outcome = std::move(outcomes_[index]);
  const fs::path folder = scratch_ / CaseName(index);
  if (outcome->end == PipelineEnd::kAnswered) {
    try {
      outcome->answer = ReadAnswer(folder);
    } catch (const InputError& error) {
      outcome->end = PipelineEnd::kMalformed;
      // The scratch folder's name says nothing.
      std::string text = error.what();
      const std::string room = folder.string() + "/";
      if (text.starts_with(room)) text.erase(0, room.size());
      outcome->error = text;
    }
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return std::move(*outcome);
}

void PipelineSubject::RunBatch(size_t first) {
  fs::remove_all(scratch_);
  for (auto& outcome : outcomes_) outcome.reset();
  fs::create_directories(scratch_);
  WriteFileAtomically(scratch_ / kPipelineConfigFile,
                      BackendConfigToJson(*config_).dump());
  const size_t end = std::min(first + options_.batch, requests_.size());
  for (size_t i = first; i < end; ++i) {
    WriteRequest(scratch_ / CaseName(i), requests_[i]());
  }
  const pid_t process = Start(command_, scratch_);
  ++starts_;
  auto began = Clock::now();
  size_t next = first;  // the case in flight
  bool hung = false;
  int status = 0;
  while (true) {
    const bool gone = waitpid(process, &status, WNOHANG) != 0;
    while (next < end && fs::exists(scratch_ / CaseName(next) / kPipelineDoneFile)) {
      outcomes_[next] = std::make_unique<PipelineOutcome>();
      outcomes_[next++]->seconds = Seconds(Clock::now() - began);
      began = Clock::now();
    }
    if (gone || hung) break;
    if (Clock::now() - began > std::chrono::milliseconds(options_.time_limit_ms)) {
      hung = true;
      kill(-process, SIGKILL);
      waitpid(process, &status, 0);
      break;
    }
    usleep(1000);
  }
  // Children that outlive the command.
  kill(-process, SIGKILL);
  if (next == end) return;
  auto outcome = std::make_unique<PipelineOutcome>();
  outcome->seconds = Seconds(Clock::now() - began);
  outcome->end = hung ? PipelineEnd::kHung : PipelineEnd::kCrashed;
  outcome->signal = WIFSIGNALED(status) ? SignalName(WTERMSIG(status))
                                        : fmt::format("exit {}", WEXITSTATUS(status));
  outcome->printed = LastLine(scratch_ / kPrinted);
  outcomes_[next] = std::move(outcome);
}

}  // namespace qconform
