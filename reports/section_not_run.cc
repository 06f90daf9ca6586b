#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/page_parts.h"
#include "reports/sections.h"

namespace qconform {
namespace {

constexpr size_t kMostLines = 40;  // of one list
constexpr size_t kBytes = 120'000;

std::string NameOf(const RunJournal& run) {
  return run.header.backend.name + " on " +
         (run.header.suite.empty() ? run.file : run.header.suite);
}

// Reasons of skipped cases and how often each was given.
Markup Skipped(const RunJournal& run) {
  std::map<std::string, int64_t> reasons;
  for (const CaseRecord& record : run.cases) {
    if (!IsSkipped(record)) continue;
    const std::string why = record.reason.empty() ? "no reason given" : record.reason;
    ++reasons[std::string(VerdictName(record.verdict)) + ": " + why];
  }
  std::vector<std::pair<std::string, int64_t>> sorted(reasons.begin(), reasons.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Markup items;
  for (size_t i = 0; i < std::min(kMostLines, sorted.size()); ++i) {
    items += Element("li", "", Count(sorted[i].second) + " × " + sorted[i].first);
  }
  if (items.empty()) return Markup();
  return Element("p", "", Count(run.skipped, "case") + " skipped, which is no pass:") +
         Element("ul", "", items) +
         AndMore(static_cast<int64_t>(sorted.size()) - static_cast<int64_t>(kMostLines),
                 "reasons");
}

Markup RowsWithoutCase(const RunJournal& run) {
  if (!run.footer) return Markup();
  Markup rows;
  size_t count = 0;
  for (const RowCoverage& row : run.footer->rows) {
    if (row.cases == 0 && ++count <= kMostLines) rows += Element("li", "", Code(row.row));
  }
  const std::string sum =
      fmt::format("{} of {} of its config have no case in this run",
                  Count(static_cast<int64_t>(count)),
                  Count(static_cast<int64_t>(run.footer->rows.size()), "row"));
  if (run.footer->rows.empty()) {
    return Element("p", "", "The backend has no config: nothing is declared.");
  }
  if (count == 0) {
    return Element("p", "", "Every row of the config has a case in this run.");
  }
  return Element(
      "details", "",
      Element("summary", "", sum) + Element("ul", "class=\"columns\"", rows) +
          AndMore(static_cast<int64_t>(count) - static_cast<int64_t>(kMostLines),
                  "rows"));
}

Markup RunBlock(const RunJournal& run) {
  Markup block;
  if (!run.complete) {
    block += Element(
        "p", "class=\"loud\"",
        run.footer ? fmt::format("This run was interrupted: {} not run.",
                                 Count(run.not_run, "case"))
                   : fmt::format("This run was cut off, its journal has no end: {} not "
                                 "run.",
                                 Count(run.not_run, "case")));
  }
  if (run.passed + run.failed == 0) {
    block += Element("p", "class=\"loud\"", "This run executed nothing.");
  }
  block += Skipped(run) + RowsWithoutCase(run);
  return Element("h3", "", NameOf(run)) + block;
}

}  // namespace

Markup NotRunSection(const ReportInput& input) {
  Markup blocks;
  Budget budget(kBytes);
  int64_t left_out = 0;
  for (const RunJournal& run : input.runs) {
    left_out += budget.Append(blocks, RunBlock(run)) ? 0 : 1;
  }
  blocks += AndMore(left_out, "runs");
  Markup missing;
  if (input.runs.empty()) {
    missing +=
        Element("li", "class=\"loud\"", "No backend was judged: no run was given.");
  }
  if (input.models.empty()) {
    missing += Element("li", "", "No quantized model was given.");
  }
  if (input.benchmarks.empty()) {
    missing += Element("li", "", "No benchmark was given: nothing here is about speed.");
  }
  if (!missing.empty()) blocks += Element("ul", "", missing);
  return Section("not-run", "What was not run", blocks);
}

}  // namespace qconform
