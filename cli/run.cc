#include "cli/run.h"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <string>

#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "cli/print_ignored.h"
#include "cli/print_run.h"
#include "cli/run_pipeline.h"
#include "cli/worker.h"
#include "conformance/cases/subject_config.h"
#include "conformance/verdict/session.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct RunOptions {
  std::string backend;
  std::string config;
  SelectionOptions selection;
  std::string journal = "run.jsonl";
  std::string resume;
  double timeout_seconds = 30;
  uint64_t memory_mib = 8192;
  int32_t threads = 1;
  std::string graph;
  std::string mode = "torch";
  bool contract = false;
};

volatile std::sig_atomic_t interrupted = 0;

void OnInterrupt(int) { interrupted = 1; }

void CatchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  // A second Ctrl-C ends the process at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

void ShowProgress(const CaseRecord& record, size_t done, size_t total) {
  std::cerr << "\r\033[K" << done << "/" << total << " " << record.id << std::flush;
  if (done == total) std::cerr << "\r\033[K";
}

int RunPipelineOf(const RunOptions& options) {
  PipelineRunOptions pipeline;
  pipeline.command = options.backend.substr(std::string(kPipelinePrefix).size());
  pipeline.config = options.config;
  pipeline.filter = options.selection.filter;
  pipeline.cases = options.selection.cases;
  pipeline.mode = options.mode;
  pipeline.timeout_seconds = options.timeout_seconds;
  pipeline.resume = !options.resume.empty();
  pipeline.journal = pipeline.resume ? options.resume : options.journal;
  pipeline.interrupted = &interrupted;
  if (isatty(STDERR_FILENO) != 0) pipeline.on_record = ShowProgress;
  CatchInterrupt();
  return RunPipeline(pipeline);
}

int Run(const RunOptions& options) {
  if (!options.graph.empty()) {
    if (options.selection.goldens.size() != 1) {
      throw InputError("--graph " + options.graph, "nothing to judge it against",
                       "one --golden");
    }
    return RunGraphFile(options.graph, options.selection.goldens[0]);
  }
  if (options.backend.empty()) {
    throw InputError("run", "nothing to judge", "--backend, or --graph and --golden");
  }
  if (options.backend.starts_with(kPipelinePrefix)) return RunPipelineOf(options);
  WorkerOptions worker_options;
  worker_options.command = WorkerCommand();
  worker_options.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  worker_options.memory_limit_bytes = options.memory_mib << 20;
  worker_options.threads = options.threads;
  const bool sources = !options.selection.suites.empty() ||
                       !options.selection.goldens.empty() ||
                       !options.selection.cases.empty();
  Selection selection;
  if (sources || !options.contract) selection = SelectCases(options.selection);
  if (selection.cases.empty() && !options.contract) {
    std::cerr << "qconform: no case selected by" << selection.arguments << " --filter '"
              << options.selection.filter << "', expected at least one (exit code 5)\n";
    return kExitNothingSelected;
  }
  try {
    Worker worker(options.backend, worker_options);
    Subject subject{worker, IdentityOf(worker, options.backend)};
    const auto config = ConfigOf(worker.Load(), options.config);
    if (config) PrintIgnored(config->ignored);
    if (config) subject.config = &config->config;
    if (options.contract) {
      if (!config) {
        throw InputError(options.backend, "declares no config", "one, or --config");
      }
      AddContract(config->config, options.selection.filter, selection);
    }
    SessionOptions session;
    session.suite = selection.suite;
    session.suite_digest = selection.digest;
    if (config) session.config_digest = config->digest;
    session.resume = !options.resume.empty();
    session.journal = session.resume ? options.resume : options.journal;
    session.interrupted = &interrupted;
    if (isatty(STDERR_FILENO) != 0) session.on_record = ShowProgress;
    CatchInterrupt();
    const SessionResult result = RunSession(selection.cases, subject, session);
    std::string repeat =
        "qconform run --backend " + options.backend + selection.arguments;
    if (!options.config.empty()) repeat += " --config " + options.config;
    std::cout << "backend     " << subject.identity.name << " "
              << subject.identity.version << "  sha256 "
              << subject.identity.sha256.substr(0, 12) << "  config "
              << (config ? config->origin : "none") << "\n";
    PrintRun(result, repeat, session.journal.string(), std::cout);
    return result.exit_code();
  } catch (const BackendError& error) {
    std::cerr << "qconform: " << error.what() << " (exit code 6)\n";
    return kExitBackendUnusable;
  }
}

}  // namespace

void AddRunVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Judge a backend on suites and goldens");
  verb->add_option("--backend", options->backend,
                   "Shared object of the backend, or pipeline:COMMAND");
  verb->add_option("--graph", options->graph,
                   "Instead: a quantized graph, judged against --golden");
  verb->add_option("--mode", options->mode, "What a pipeline is asked to do")
      ->check(CLI::IsMember({"torch", "strict"}))
      ->capture_default_str();
  verb->add_option("--config", options->config,
                   "Config that says what is declared: a JSON file or a built-in name "
                   "(default: the backend's own)");
  verb->add_flag("--contract", options->contract,
                 "What the config itself asks for: right at each bound, refused beyond");
  AddSelectionOptions(*verb, options->selection);
  verb->add_option("--out", options->journal, "Journal, JSON Lines")
      ->capture_default_str();
  verb->add_option("--resume", options->resume,
                   "Go on with this journal: what it holds is not run again");
  verb->add_option("--timeout", options->timeout_seconds, "Seconds a case may take")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_option("--memory", options->memory_mib, "MiB that the worker may map")
      ->capture_default_str();
  verb->add_option("--threads", options->threads, "Threads handed to the backend's plan")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->footer(
      "Exit codes: 0 as expected, 1 a case failed or none was run, 2 interrupted,\n"
      "3 our own error, 4 wrong usage or bad file, 5 nothing selected, 6 backend "
      "unusable.\nThe last line alone: N passed, N failed, N skipped.");
  verb->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace qconform
