// `qconform run --backend pipeline:COMMAND`: the contract of a config, asked of a
// pipeline; and `run --graph FILE --golden G`, one file judged against a golden.
#ifndef QCONFORM_CLI_RUN_PIPELINE_H_
#define QCONFORM_CLI_RUN_PIPELINE_H_

#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "conformance/verdict/session.h"

namespace qconform {

// Whether --backend says pipeline:COMMAND, and the command.
bool IsPipeline(const std::string& backend);
std::string CommandOf(const std::string& backend);

void AddModeOption(CLI::App& verb, std::string& mode);

struct PipelineRunOptions {
  std::string command;
  std::string config;  // a file, or the name of a built-in one
  std::string filter;
  std::vector<std::string> cases;  // only these, by id
  std::string mode = "torch";
  double timeout_seconds = 30;
  Shard shard;
  std::string junit;  // file; empty: none
  const KnownFailures* known = nullptr;
  std::string today;  // for `known`
  std::string journal;
  bool resume = false;
  const volatile std::sig_atomic_t* interrupted = nullptr;
  std::function<void(const CaseRecord&, size_t, size_t)> on_record;
};

// The exit code.
int RunPipeline(const PipelineRunOptions& options);

// One case again, without a journal. Throws InputError for an id of another contract.
CaseRecord RunPipelineCase(const PipelineRunOptions& options, const std::string& id);

// Compares a quantized graph with the golden's: its reference graph, or the prepared one
// if it has observers, of which their classes and who shares them are compared. The exit
// code is 1 if they differ.
int RunGraphFile(const std::string& graph, const std::string& golden);

}  // namespace qconform

#endif  // QCONFORM_CLI_RUN_PIPELINE_H_
