#include "conformance/host/pipeline_subject.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <system_error>

#include "conformance/host/find_command.h"
#include "conformance/host/start_shell.h"
#include "conformance/host/worker.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kPrinted[] = "printed.txt";

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

}  // namespace

PipelineSubject::PipelineSubject(std::string command,
                                 std::shared_ptr<const BackendConfig> config,
                                 PipelineOptions options)
    : command_(std::move(command)),
      config_(std::move(config)),
      options_(options),
      scratch_("pipeline") {
  CheckCommand("pipeline:" + command_, command_);
}

void PipelineSubject::Plan(std::vector<std::function<PipelineRequest()>> requests) {
  requests_ = std::move(requests);
  outcomes_.clear();
  outcomes_.resize(requests_.size());
}

PipelineOutcome PipelineSubject::Ask(size_t index) {
  if (outcomes_.at(index) == nullptr) RunBatch(index);
  const std::unique_ptr<PipelineOutcome> outcome = std::move(outcomes_[index]);
  const fs::path folder = scratch_.path() / CaseName(index);
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
  scratch_.Clear();
  for (auto& outcome : outcomes_) outcome.reset();
  WriteFileAtomically(scratch_.path() / kPipelineConfigFile,
                      BackendConfigToJson(*config_).dump());
  const size_t end = std::min(first + options_.batch, requests_.size());
  for (size_t i = first; i < end; ++i) {
    WriteRequest(scratch_.path() / CaseName(i), requests_[i]());
  }
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t process =
      StartShell({command_, "", scratch_.path(), scratch_.path() / kPrinted}, nothing);
  close(nothing);
  ++starts_;
  auto began = Clock::now();
  size_t next = first;  // the case in flight
  bool hung = false;
  int status = 0;
  while (true) {
    const bool gone = waitpid(process, &status, WNOHANG) != 0;
    while (next < end &&
           fs::exists(scratch_.path() / CaseName(next) / kPipelineDoneFile)) {
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
  outcome->printed = LastLine(scratch_.path() / kPrinted);
  outcomes_[next] = std::move(outcome);
}

}  // namespace qconform
