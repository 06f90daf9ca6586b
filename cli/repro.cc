#include "cli/repro.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/case_selection.h"
#include "cli/print_record.h"
#include "cli/subject.h"
#include "conformance/verdict/every_path.h"
#include "conformance/verdict/summary.h"

namespace qconform {
namespace {

struct ReproOptions {
  SubjectOptions subject;
  std::string id;
  std::vector<std::string> goldens;
};

int Repro(const ReproOptions& options) {
  CaseSource source = FindCase(options.id, options.goldens);
  if (options.subject.isa == "all") source = OnEveryPath(std::move(source));
  const auto opened = OpenSubject(options.subject);
  CaseRecord record = source.run(opened->subject());
  record.id = source.id;
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
                   "Shared object of the backend, or exec:COMMAND")
      ->required();
  AddSubjectOptions(*verb, options->subject);
  verb->add_option("--golden", options->goldens,
                   "Folder of the golden that the case is of, unless it lies by its name "
                   "in datasets/goldens");
  CLI::Option* in_process = verb->add_flag("--in-process", options->subject.in_process,
                                           "Without a worker, so that a crash is ours");
  verb->add_flag("--break", options->subject.stop_before_run,
                 "Raise SIGTRAP before the backend's run, where a debugger stops")
      ->needs(in_process);
  verb->footer("Exit codes: as of run.");
  verb->callback([options, &exit_code] { exit_code = Repro(*options); });
}

}  // namespace qconform
