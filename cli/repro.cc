#include "cli/repro.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/case_selection.h"
#include "cli/print_record.h"
#include "cli/run_pipeline.h"
#include "cli/subject.h"
#include "conformance/verdict/every_path.h"
#include "conformance/verdict/summary.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct ReproOptions {
  SubjectOptions subject;
  std::string id;
  std::vector<std::string> goldens;
  std::string mode = "torch";
  std::optional<uint64_t> data_seed;
};

CaseRecord RunOnBackend(const ReproOptions& options) {
  const auto opened = OpenSubject(options.subject);
  const Subject subject = opened->subject();
  CaseSource source = FindCase(WithDataSeed(options.id, options.data_seed),
                               options.goldens, subject.config);
  if (options.subject.isa == "all") source = OnEveryPath(std::move(source));
  CaseRecord record = source.run(subject);
  record.id = source.id;
  return record;
}

CaseRecord RunOnPipeline(const ReproOptions& options) {
  PipelineRunOptions pipeline;
  if (options.data_seed)
    throw InputError("--data-seed", "has no meaning for a pipeline", "a shared object");
  pipeline.command = CommandOf(options.subject.backend);
  pipeline.config = options.subject.config;
  pipeline.mode = options.mode;
  pipeline.timeout_seconds = options.subject.timeout_seconds;
  return RunPipelineCase(pipeline, options.id);
}

int Repro(const ReproOptions& options) {
  const CaseRecord record = IsPipeline(options.subject.backend) ? RunOnPipeline(options)
                                                                : RunOnBackend(options);
  PrintRecord(record, std::cout);
  Summary summary;
  summary.Add(record);
  std::cout << summary.LastLine() << std::endl;
  return summary.ExitCode(1, false);
}

}  // namespace

void AddReproVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReproOptions>();
  CLI::App* verb = app.add_subcommand("repro", "Run one case again, by its id alone");
  verb->add_option("ID", options->id, "The case's id")->required();
  verb->add_option("--backend", options->subject.backend,
                   "Shared object of the backend, exec:COMMAND or pipeline:COMMAND")
      ->required();
  AddSubjectOptions(*verb, options->subject);
  AddModeOption(*verb, options->mode);
  verb->add_option("--golden", options->goldens,
                   "The golden that the case is of, unless it lies by its name "
                   "in datasets/goldens");
  AddDataSeedOption(*verb, options->data_seed);
  CLI::Option* in_process = verb->add_flag("--in-process", options->subject.in_process,
                                           "Without a worker, so that a crash is ours");
  verb->add_flag("--break", options->subject.stop_before_run,
                 "Raise SIGTRAP before the backend's run, where a debugger stops")
      ->needs(in_process);
  verb->footer("Exit codes: as of run.");
  verb->callback([options, &exit_code] { exit_code = Repro(*options); });
}

}  // namespace qconform
