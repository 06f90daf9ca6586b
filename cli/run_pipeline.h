// `qconform run --backend pipeline:COMMAND`: the contract of a config, asked of a
// pipeline; and `run --graph FILE --golden G`, one file judged against a golden.
#ifndef QCONFORM_CLI_RUN_PIPELINE_H_
#define QCONFORM_CLI_RUN_PIPELINE_H_

#include <csignal>
#include <functional>
#include <string>

#include "conformance/verdict/session.h"

namespace qconform {

inline constexpr char kPipelinePrefix[] = "pipeline:";

struct PipelineRunOptions {
  std::string command;
  std::string config;  // a file, or the name of a built-in one
  std::string filter;
  std::vector<std::string> cases;  // only these, by id
  std::string mode = "torch";
  double timeout_seconds = 30;
  std::string journal;
  bool resume = false;
  const volatile std::sig_atomic_t* interrupted = nullptr;
  std::function<void(const CaseRecord&, size_t, size_t)> on_record;
};

// The exit code.
int RunPipeline(const PipelineRunOptions& options);

// Compares a quantized graph with the golden's; the exit code is 1 if they differ.
int RunGraphFile(const std::string& graph, const std::string& golden);

}  // namespace qconform

#endif  // QCONFORM_CLI_RUN_PIPELINE_H_
