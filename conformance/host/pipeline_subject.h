// `pipeline:COMMAND`: a quantization pipeline in any language, asked through files
// (pipeline_folder.h). One process answers many cases, so that what it takes to start is
// paid once; after a crash the next case starts another.
#ifndef QCONFORM_CONFORMANCE_HOST_PIPELINE_SUBJECT_H_
#define QCONFORM_CONFORMANCE_HOST_PIPELINE_SUBJECT_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/host/pipeline_folder.h"
#include "conformance/host/scratch_folder.h"

namespace qconform {

struct PipelineOptions {
  // From one finished case to the next; the first also has the time to start.
  int64_t time_limit_ms = 30000;
  size_t batch = 1024;  // cases a process
};

enum class PipelineEnd { kAnswered, kCrashed, kHung, kMalformed };

struct PipelineOutcome {
  PipelineEnd end = PipelineEnd::kAnswered;
  PipelineAnswer answer;  // of kAnswered
  std::string signal;     // of kCrashed: "SIGSEGV", "exit 1"
  std::string error;      // of kMalformed: one line
  std::string printed;    // the last line that it printed, if it did not answer
  double seconds = 0;     // since the case before it, or since the start
};

class PipelineSubject {
 public:
  // `command` is run by the shell with the folder as its last argument. Throws
  // BackendError if there is nothing to run.
  PipelineSubject(std::string command, std::shared_ptr<const BackendConfig> config,
                  PipelineOptions options = {});
  PipelineSubject(const PipelineSubject&) = delete;
  PipelineSubject& operator=(const PipelineSubject&) = delete;

  const std::string& command() const { return command_; }

  // What will be asked, in this order. Requests are made when their batch begins.
  void Plan(std::vector<std::function<PipelineRequest()>> requests);

  // The answer to the request at `index`, which is asked with those behind it unless it
  // was asked already.
  PipelineOutcome Ask(size_t index);

  // How often the command was started.
  int starts() const { return starts_; }

 private:
  void RunBatch(size_t first);

  const std::string command_;
  const std::shared_ptr<const BackendConfig> config_;
  const PipelineOptions options_;
  ScratchFolder scratch_;
  std::vector<std::function<PipelineRequest()>> requests_;
  // Of the requests that were asked and not read yet, by index.
  std::vector<std::unique_ptr<PipelineOutcome>> outcomes_;
  int starts_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PIPELINE_SUBJECT_H_
