#include "cli/shrink.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/above_zero.h"
#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "cli/golden_folder.h"
#include "cli/print_record.h"
#include "cli/subject.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/contract/contract_case.h"
#include "conformance/shrink/shrink.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

struct ShrinkOptions {
  SubjectOptions subject;
  std::string id;
  std::string budget = "60s";
  int candidates = 1000;
  std::string out;
  std::optional<uint64_t> data_seed;
};

// The suite that the row joins, which must be possible before anything is tried.
fs::path SuiteOf(const std::string& out) {
  if (out.empty()) {
    const fs::path suites = "datasets/suites";
    return fs::is_directory(suites) ? suites / "found.csv" : fs::path("found.csv");
  }
  const fs::path folder = fs::absolute(out).parent_path();
  if (!fs::is_directory(folder))
    throw InputError("--out " + out, "there is no folder " + folder.string(), "one");
  return out;
}

double SecondsOf(const std::string& text) {
  size_t end = 0;
  try {
    const double seconds = std::stod(text, &end);
    if (seconds > 0 && (end == text.size() || text.substr(end) == "s")) return seconds;
  } catch (const std::exception&) {
    // Said below.
  }
  throw InputError("--budget", "'" + text + "'", "seconds like 60s");
}

std::string ShapeOf(const std::string& id) {
  const size_t begin = id.find('/', id.find('/') + 1) + 1;
  return id.substr(begin);
}

// Of cases that no row of a suite can say nothing smaller has an id.
void RequireRow(const std::string& id) {
  const std::string suite = id.substr(0, id.find('/'));
  const auto refuse = [&id](const std::string& why) {
    throw InputError(id, why, "a case of a suite");
  };
  if (IsContractId(id)) refuse("a case of a contract is the smallest already");
  if (GoldenFolderOfName(suite)) refuse("a golden's case is no row of a suite");
  if (suite == "doctor") refuse("doctor's case is no row of a suite");
}

// Says what came of it. The file is a suite, which the row joins.
void AddToSuite(const std::string& id, const fs::path& file) {
  const SuiteRow row = RowFromId(id);
  if (row.suite != file.stem().string()) {
    std::cout << "wrote nothing: in the suite " << file.stem().string()
              << " its data are others, and it does not fail\n";
    return;
  }
  std::string text = SuiteCsvHeader();
  if (fs::exists(file)) {
    for (const SuiteRow& there : ReadSuite(file)) {
      if (IdOf(there) != id) continue;
      std::cout << "wrote nothing: " << file.string() << " holds it already\n";
      return;
    }
    text = ReadFileBytes(file);
    if (text.find(SuiteCsvHeader()) == std::string::npos) {
      throw InputError(file.string(), "has other columns, or in another order",
                       "those of " + SuiteCsvHeader().substr(0, 20) + "...");
    }
    if (!text.ends_with('\n')) text += '\n';
  }
  WriteFileAtomically(file, text + SuiteCsvLine(row));
  std::cout << "wrote one row to " << file.string() << "   (commit this)\n"
            << "run it with --suite " << file.string() << "\n";
}

int Shrink(const ShrinkOptions& options) {
  const ShrinkBudget budget = {options.candidates, SecondsOf(options.budget)};
  RequireRow(options.id);
  const fs::path file = SuiteOf(options.out);
  const std::string start = WithDataSeed(options.id, options.data_seed);
  const auto opened = OpenSubject(options.subject);
  const RunById run = [&](const std::string& id) {
    CaseRecord record = FindCase(id, {}, opened->subject().config).run(opened->subject());
    record.id = id;
    return record;
  };
  const Shrunk shrunk = ShrinkCase(start, file.stem().string(), run, budget);
  std::cout << fmt::format("{} -> {}   {} candidates tried, {}\n", ShapeOf(start),
                           ShapeOf(shrunk.id), shrunk.candidates,
                           shrunk.out_of_time ? "out of time: a run with more --budget "
                                                "may end elsewhere"
                                              : "deterministic");
  PrintRecord(shrunk.record, std::cout);
  AddToSuite(shrunk.id, file);
  return kExitAsExpected;
}

}  // namespace

void AddShrinkVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShrinkOptions>();
  CLI::App* verb =
      app.add_subcommand("shrink", "Find the smallest case that fails in the same way");
  verb->add_option("ID", options->id, "Id of a case that fails")->required();
  verb->add_option("--backend", options->subject.backend,
                   "Shared object of the backend, or exec:COMMAND")
      ->required();
  AddSubjectOptions(*verb, options->subject);
  verb->add_option("--budget", options->budget, "Seconds that it may take")
      ->capture_default_str();
  verb->add_option("--candidates", options->candidates, "Cases that it may run")
      ->capture_default_str()
      ->check(AboveZero());
  verb->add_option("-o,--out", options->out,
                   "Suite that the row is added to (default: found.csv, in "
                   "datasets/suites if the current folder has that)");
  AddDataSeedOption(*verb, options->data_seed);
  verb->footer(
      "Exit codes: 0 a case was found, 4 the case does not fail or is none, 6 backend "
      "unusable.");
  verb->callback([options, &exit_code] { exit_code = Shrink(*options); });
}

}  // namespace qconform
