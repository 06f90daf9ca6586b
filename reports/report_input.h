// What a page is made of.
#ifndef QCONFORM_REPORTS_REPORT_INPUT_H_
#define QCONFORM_REPORTS_REPORT_INPUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/benchmark_file.h"
#include "reports/kill_table.h"
#include "reports/quantization_summary.h"
#include "reports/run_journal.h"

namespace qconform {

struct ReportSource {
  std::string name;
  std::string sha256;
};

struct ReportInput {
  std::vector<RunJournal> runs;
  std::vector<BenchmarkFile> benchmarks;
  std::vector<QuantizationSummary> models;
  std::optional<KillTable> kill_table;
  std::vector<ReportSource> sources;  // the files that were read
  std::string tool;                   // "qconform 0.1.0"
};

// One summary, or an array of them, as `quantize --summary` writes them. Throws
// ReportError.
std::vector<QuantizationSummary> ParseQuantizationSummaries(std::string_view text,
                                                            const std::string& file);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_INPUT_H_
