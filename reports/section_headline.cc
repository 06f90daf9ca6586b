#include <fmt/format.h>

#include "reports/sections.h"

namespace qconform {
namespace {

struct Totals {
  int64_t passed = 0;
  int64_t failed = 0;
  int64_t skipped = 0;
  int64_t not_run = 0;
  int64_t cut_off = 0;  // runs
  int64_t empty = 0;    // runs that executed nothing
  int64_t wrong_layers = 0;
  int64_t rows = 0;  // of the configs, in the runs that know them
  int64_t rows_without_case = 0;
};

Totals Add(const ReportInput& input) {
  Totals totals;
  for (const RunJournal& run : input.runs) {
    totals.passed += run.passed;
    totals.failed += run.failed;
    totals.skipped += run.skipped;
    totals.not_run += run.not_run;
    totals.cut_off += run.complete ? 0 : 1;
    totals.empty += run.passed + run.failed == 0 ? 1 : 0;
    if (!run.footer) continue;
    for (const RowCoverage& row : run.footer->rows) {
      ++totals.rows;
      totals.rows_without_case += row.cases == 0 ? 1 : 0;
    }
  }
  for (const BenchmarkFile& benchmark : input.benchmarks) {
    for (const LayerTiming& layer : benchmark.layers) {
      totals.wrong_layers += layer.error.empty() ? 0 : 1;
    }
  }
  return totals;
}

struct Headline {
  std::string_view style;  // CSS class
  std::string title;
  std::string text;
};

Headline Decide(const ReportInput& input, const Totals& totals) {
  if (totals.passed + totals.failed == 0) {
    return {"bad", "NOTHING WAS JUDGED",
            input.runs.empty()
                ? "No run journal was given. This page says nothing about whether any "
                  "backend is right."
                : fmt::format("{} executed no case at all. This page says nothing about "
                              "whether any backend is right.",
                              Count(totals.empty, "run"))};
  }
  const std::string ran = Count(totals.passed + totals.failed, "case") + " ran";
  if (totals.failed > 0) {
    return {"bad", Count(totals.failed, "case") + " failed",
            ran + "; what went wrong stands under Failures."};
  }
  if (totals.empty > 0) {
    return {"bad", Count(totals.empty, "run") + " executed nothing",
            "The other runs have no failure, but an empty run has shown nothing."};
  }
  if (totals.wrong_layers > 0) {
    return {"bad", Count(totals.wrong_layers, "benchmark") + " gave wrong output",
            ran + " without a failure, but a wrong output has no speed."};
  }
  if (totals.cut_off > 0) {
    return {"warn", "No failure so far",
            fmt::format("{} without a failure, but {} did not get to the end.", ran,
                        Count(totals.cut_off, "run"))};
  }
  return {"good", "All cases that ran passed",
          ran + (totals.skipped > 0 ? "; skipped ones are not counted as passed." : ".")};
}

// What the counts beside it leave out.
std::string NotRunLine(const ReportInput& input, const Totals& totals) {
  std::string line = "Not judged: " + Count(totals.skipped, "skipped case");
  if (totals.not_run > 0) line += ", " + Count(totals.not_run, "case") + " not reached";
  if (totals.rows > 0) {
    line += fmt::format(", {} of {} without a case", Count(totals.rows_without_case),
                        Count(totals.rows, "config row"));
  }
  if (input.benchmarks.empty()) line += ", speed";
  if (input.models.empty()) line += ", models";
  return line + ".";
}

Markup Tile(int64_t count, std::string_view title, std::string_view style) {
  return Element("div", fmt::format("class=\"tile {}\"", count > 0 ? style : "none"),
                 Element("b", "", Count(count)) + Element("span", "", title));
}

}  // namespace

Markup HeadlineSection(const ReportInput& input) {
  const Totals totals = Add(input);
  const Headline headline = Decide(input, totals);
  const Markup tiles =
      Tile(totals.passed, "passed", "good") + Tile(totals.failed, "failed", "bad") +
      Tile(totals.skipped, "skipped", "skip") + Tile(totals.not_run, "not run", "warn");
  return Element("header", fmt::format("class=\"{}\"", headline.style),
                 Element("p", "class=\"over\"", "qconform report") +
                     Element("h1", "", headline.title) + Element("p", "", headline.text) +
                     Element("div", "class=\"tiles\"", tiles) +
                     Element("p", "class=\"note\"", NotRunLine(input, totals)));
}

}  // namespace qconform
