#include "cli/report.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "conformance/verdict/kill_record.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reports/html_report.h"
#include "reports/report_error.h"

namespace qconform {
namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::vector<std::string> benchmarks;
  std::vector<std::string> models;
  std::string saboteurs;
  std::string out;
};

// The file's bytes; notes its digest, once.
std::string ReadSource(const std::string& file, std::set<std::string>& seen,
                       ReportInput& input) {
  std::string bytes = ReadFileBytes(file);
  if (seen.insert(file).second) input.sources.push_back({file, Sha256Hex(bytes)});
  return bytes;
}

int WriteHtml(const ReportOptions& options) {
  if (options.runs.empty() && options.benchmarks.empty() && options.models.empty()) {
    std::cerr << "qconform: nothing to report, expected at least one run, --bench or "
                 "--models (exit code 4)\n";
    return kExitUsage;
  }
  ReportInput input;
  input.tool = std::string("qconform ") + QCONFORM_VERSION;
  std::set<std::string> seen;
  try {
    for (const std::string& file : options.runs) {
      input.runs.push_back(ParseRunJournal(ReadSource(file, seen, input), file));
    }
    for (const std::string& file : options.models) {
      for (QuantizationSummary& model :
           ParseQuantizationSummaries(ReadSource(file, seen, input), file)) {
        input.models.push_back(std::move(model));
      }
    }
    if (!options.saboteurs.empty()) {
      ReadSource(options.saboteurs, seen, input);
      KillRecord record = ReadKillRecord(options.saboteurs);
      input.kill_table = {record.tool, record.suites, record.killers};
    }
    for (const std::string& file : options.benchmarks) {
      input.benchmarks.push_back(ParseBenchmarkFile(ReadSource(file, seen, input), file));
    }
  } catch (const ReportError& error) {
    std::cerr << "qconform: " << error.what() << " (exit code 4)\n";
    return kExitUsage;
  }
  const std::filesystem::path page = std::filesystem::path(options.out) / "index.html";
  WriteFileAtomically(page, HtmlReport(input));
  std::cout << "report      " << page.string() << std::endl;
  return kExitAsExpected;
}

}  // namespace

void AddReportVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("report", "Write what runs have shown");
  verb->require_subcommand(1);
  auto options = std::make_shared<ReportOptions>();
  CLI::App* html = verb->add_subcommand(
      "html",
      "One page that opens from disk: DIR/index.html, without scripts or network");
  html->add_option("runs", options->runs, "Journals of `qconform run` (JSON Lines)");
  html->add_option("--bench", options->benchmarks,
                   "JSON of `qconform bench`; may stand several times")
      ->allow_extra_args(false);
  html->add_option("--models", options->models,
                   "Summaries of `qconform quantize --summary`; may stand several times")
      ->allow_extra_args(false);
  html->add_option("--saboteurs", options->saboteurs,
                   "What `./dev saboteurs` recorded: datasets/kill_table.json");
  html->add_option("-o,--out", options->out, "Folder")->required();
  html->callback([options, &exit_code] { exit_code = WriteHtml(*options); });
}

}  // namespace qconform
