#include "cli/merge.h"

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/print_run.h"
#include "conformance/verdict/junit.h"
#include "conformance/verdict/merge_journals.h"
#include "reference/formats/write_file.h"

namespace qconform {
namespace {

struct MergeOptions {
  std::vector<std::string> runs;
  std::string out;
  std::string junit;
};

int Merge(const MergeOptions& options) {
  std::vector<NamedJournal> journals;
  for (const std::string& file : options.runs)
    journals.push_back({file, ReadJournal(file)});
  Journal merged = MergeJournals(journals);
  std::string text = JournalLine(*merged.header);
  for (const CaseRecord& record : merged.cases) text += JournalLine(record);
  text += JournalLine(*merged.footer);
  WriteFileAtomically(options.out, text);

  SessionResult result;
  result.header = *merged.header;
  result.footer = *merged.footer;
  result.records = merged.cases;
  for (const CaseRecord& record : merged.cases) result.summary.Add(record);
  const BackendIdentity& backend = merged.header->backend;
  const std::string repro = "qconform repro --backend " + backend.file;
  if (!options.junit.empty())
    WriteFileAtomically(options.junit, JUnitOf(*merged.header, merged.cases, repro));
  std::cout << "backend     " << backend.name << " " << backend.version << "  sha256 "
            << backend.sha256.substr(0, 12) << "\n";
  for (const std::string& shard : merged.footer->missing)
    std::cout << "missing     shard " << shard << "\n";
  if (!merged.footer->complete && merged.footer->missing.empty())
    std::cout << "missing     a journal is of a run that did not end\n";
  PrintRun(result, repro, options.out, std::cout);
  const int code = result.exit_code();
  return code == kExitAsExpected && !merged.footer->complete ? kExitCaseFailed : code;
}

}  // namespace

void AddMergeVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = app.add_subcommand("merge", "Make the journals of shards one");
  verb->add_option("RUN", options->runs, "Journals of the same suite and backend")
      ->required();
  verb->add_option("-o,--out", options->out, "The merged journal")->required();
  verb->add_option("--junit", options->junit, "The verdicts as JUnit XML as well");
  verb->footer(
      "Exit codes: as of run; 1 also if a shard is missing or a run did not end, 4 if "
      "the\njournals are not of one suite, backend and config.");
  verb->callback([options, &exit_code] { exit_code = Merge(*options); });
}

}  // namespace qconform
