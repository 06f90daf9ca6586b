#include "cli/run.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "cli/above_zero.h"
#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "cli/print_run.h"
#include "cli/run_pipeline.h"
#include "cli/saboteurs_line.h"
#include "cli/subject.h"
#include "conformance/verdict/every_path.h"
#include "conformance/verdict/junit.h"
#include "conformance/verdict/session.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct RunOptions {
  SubjectOptions subject;
  SelectionOptions selection;
  std::string journal = "run.jsonl";
  std::string resume;
  std::string junit;
  std::string known;
  size_t jobs = 1;
  int repeat = 1;
  bool shuffle = false;
  std::optional<uint64_t> seed;
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

uint64_t SeedOfClock() {
  return static_cast<uint64_t>(
             std::chrono::system_clock::now().time_since_epoch().count()) %
         1'000'000;
}

SessionOptions SessionOptionsOf(const RunOptions& options, const Selection& selection,
                                const OpenedSubject& opened) {
  SessionOptions session;
  session.suite = selection.suite;
  session.suite_digest = selection.digest;
  session.shard = selection.shard;
  if (opened.config) {
    session.config_digest = opened.config->digest;
    session.config = opened.config->text;
  }
  session.resume = !options.resume.empty();
  session.journal = session.resume ? options.resume : options.journal;
  session.jobs = options.jobs;
  session.another_worker = opened.another_worker;
  session.repeat = options.repeat;
  if (options.subject.isa != "all") session.isa = options.subject.isa;
  for (const std::string& path : opened.missing_paths)
    session.missing.push_back("path " + path);
  if (options.shuffle || options.seed)
    session.seed = options.seed ? *options.seed : SeedOfClock();
  session.interrupted = &interrupted;
  if (isatty(STDERR_FILENO) != 0) session.on_record = ShowProgress;
  return session;
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

// The selected cases, on every path if so asked, and those of stale known failures.
std::vector<CaseSource> CasesOf(const RunOptions& options, const Selection& selection,
                                const KnownFailures& known) {
  std::vector<CaseSource> cases = selection.cases;
  if (options.subject.isa == "all")
    for (CaseSource& source : cases) source = OnEveryPath(std::move(source));
  for (CaseSource& stale : StaleEntries(known, selection.ids))
    if (selection.shard.Holds(stale.id)) cases.push_back(std::move(stale));
  return cases;
}

// What only a shared object can be asked.
void RejectForPipelines(const RunOptions& options) {
  const char* option = nullptr;
  if (!options.selection.suites.empty()) option = "--suite";
  if (!options.selection.goldens.empty()) option = "--golden";
  if (options.jobs != 1) option = "-j";
  if (options.repeat != 1) option = "--repeat";
  if (options.shuffle || options.seed) option = "--shuffle";
  if (!options.subject.isa.empty()) option = "--isa";
  if (options.selection.data_seed) option = "--data-seed";
  if (option != nullptr) {
    throw InputError(option, "has no meaning for a pipeline",
                     "--config, --filter, --case, --shard, --mode or --known");
  }
}

int RunPipelineOf(const RunOptions& options, const KnownFailures& known) {
  RejectForPipelines(options);
  PipelineRunOptions pipeline;
  pipeline.command = CommandOf(options.subject.backend);
  pipeline.config = options.subject.config;
  pipeline.filter = options.selection.filter;
  pipeline.cases = options.selection.cases;
  pipeline.mode = options.mode;
  pipeline.timeout_seconds = options.subject.timeout_seconds;
  pipeline.shard = ShardOf(options.selection);
  pipeline.junit = options.junit;
  pipeline.known = &known;
  pipeline.today = Today();
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
  if (options.subject.backend.empty()) {
    throw InputError("run", "nothing to judge", "--backend, or --graph and --golden");
  }
  // Before the cases are run, not after.
  if (!options.junit.empty()) RequireWritable(options.junit);
  KnownFailures known;
  if (!options.known.empty()) known = ReadKnownFailures(options.known);
  if (IsPipeline(options.subject.backend)) return RunPipelineOf(options, known);
  const bool contract = options.contract || NamesContractCase(options.selection);
  if (contract && options.selection.data_seed) {
    throw InputError("--data-seed",
                     "draws nothing for a contract, whose data are its own",
                     "--suite or --case without --contract");
  }
  const bool sources = !options.selection.suites.empty() ||
                       !options.selection.goldens.empty() ||
                       !options.selection.cases.empty();
  Selection selection;
  if (sources || !contract) selection = SelectCases(options.selection);
  if (selection.filtered == 0 && !contract) {
    std::cerr << "qconform: no case selected by" << selection.arguments << " --filter '"
              << options.selection.filter << "', expected at least one (exit code 5)\n";
    return kExitNothingSelected;
  }
  if (!contract && !options.selection.exempt.empty()) {
    throw InputError("--exempt " + options.selection.exempt,
                     "no row is asked for, so none is exempt", "--contract with it");
  }
  SubjectOptions opening = options.subject;
  opening.shorten_after_hangs = true;
  const auto opened = OpenSubject(opening);
  // A misspelt row would declare nothing, and let every refusal pass.
  if (!options.subject.config.empty() && !contract) RequireKnownRows(*opened->config);
  if (contract) {
    if (!opened->config) {
      throw InputError(options.subject.backend, "declares no config", "one, or --config");
    }
    AddContract(opened->config->config, options.selection, selection);
  }
  SessionOptions session = SessionOptionsOf(options, selection, *opened);
  session.known = &known;
  session.today = Today();
  CatchInterrupt();
  const SessionResult result =
      RunSession(CasesOf(options, selection, known), opened->subject(), session);
  const BackendIdentity& identity = opened->identity;
  std::cout << "backend     " << identity.name << " " << identity.version << "  sha256 "
            << identity.sha256.substr(0, 12) << "  config "
            << (opened->config ? opened->config->origin : "none") << "\n";
  if (contract && opened->own_config) {
    std::cout << "judge       " << opened->config->origin
              << " asks; declared is what the backend's own config, "
              << opened->own_config->config.name() << ", says: the rest it may refuse\n";
  }
  if (!result.header.shard.empty())
    std::cout << "shard       " << result.header.shard << "\n";
  if (session.seed) std::cout << "shuffled    --seed " << *session.seed << "\n";
  const std::string subject = " " + SubjectArguments(options.subject);
  const std::string repro = "qconform repro" + subject + selection.goldens;
  PrintRun(result, repro, session.journal.string(), std::cout,
           SaboteursLine(selection, result.records));
  if (!options.junit.empty())
    WriteFileAtomically(options.junit, JUnitOf(result.header, result.records, repro));
  return result.exit_code();
}

}  // namespace

void AddRunVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Judge a backend on suites and goldens");
  verb->add_option("--backend", options->subject.backend,
                   "Shared object of the backend, exec:COMMAND or pipeline:COMMAND");
  AddSubjectOptions(*verb, options->subject);
  verb->add_option("--graph", options->graph,
                   "Instead: a quantized graph, judged against --golden");
  AddModeOption(*verb, options->mode);
  verb->add_flag("--contract", options->contract,
                 "What the config itself asks for: right at each bound, refused beyond; "
                 "with --suite, --golden or --case besides their cases, else alone");
  AddSelectionOptions(*verb, options->selection);
  verb->add_option(
      "--known", options->known,
      "Known failures, CSV: id, verdict, where, reason, issue, owner, since, "
      "expires");
  verb->add_option("-j,--jobs", options->jobs, "Workers side by side")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  verb->add_option("--repeat", options->repeat,
                   "Times that each case is run; all must give the same bits")
      ->capture_default_str()
      ->check(AboveZero());
  verb->add_flag("--shuffle", options->shuffle, "Cases in random order");
  verb->add_option("--seed", options->seed,
                   "Seed of the order (of the data: --data-seed); shuffles");
  verb->add_option("-o,--out", options->journal, "Journal, JSON Lines")
      ->capture_default_str();
  verb->add_option("--junit", options->junit, "The verdicts as JUnit XML as well");
  verb->add_option("--resume", options->resume,
                   "Go on with this journal: what it holds is not run again");
  verb->footer(
      "exec:COMMAND runs COMMAND FOLDER for a case; FOLDER holds model.onnx and\n"
      "test_data_set_0/input_0.pb, ..., and COMMAND leaves test_data_set_0/output_0.pb, "
      "...\n"
      "Its exit code 77 refuses, the last line printed says why; any other but 0 is a "
      "crash.\n"
      "It runs the first case of each operator twice and the others once; --repeat runs "
      "all\nmore often.\n"
      "Exit codes: 0 as expected, 1 a case failed or none was run, 2 interrupted,\n"
      "3 our own error, 4 wrong usage or bad file, 5 nothing selected, 6 backend "
      "unusable.\nThe last line alone: N passed, N failed, N skipped.");
  verb->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace qconform
