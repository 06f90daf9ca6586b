#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "reports/page_parts.h"
#include "reports/sections.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 250'000;
constexpr size_t kMostCells = 400;  // of one run

constexpr std::array<std::string_view, 5> kLevels = {
    "accuracy only", "bounded: inside the set that the error bound allows",
    "exact under the scheme that it declares", "exact to the reference's scheme",
    "proved: exact, and the whole domain was tried"};

Markup Levels(const RunFooter& footer, const std::map<std::string, int64_t>& passed) {
  Table table(
      {{"Operator"}, {"Level", true}, {"What its passes show"}, {"Passed", true}});
  for (const auto& [name, level] : footer.levels) {
    const bool known = level >= 0 && static_cast<size_t>(level) < kLevels.size();
    const auto count = passed.find(name);
    table.AddRow({Text(name), Text(std::to_string(level)),
                  Text(known ? kLevels[static_cast<size_t>(level)] : "not known here"),
                  Text(Count(count == passed.end() ? 0 : count->second))});
  }
  if (table.empty()) {
    return Element("p", "", "No operator has passes alone, so none has a level.");
  }
  return table.Render("compact");
}

Markup Cells(const RunFooter& footer) {
  if (footer.contract.empty()) {
    return Element("p", "", "The backend has no config: there is no contract to cover.");
  }
  const auto all = static_cast<int64_t>(footer.contract.size());
  Markup missing;
  int64_t count = 0;
  for (const RowCoverage& cell : footer.contract) {
    if (cell.cases > 0) continue;
    if (++count <= static_cast<int64_t>(kMostCells))
      missing += Element("li", "", Code(cell.row));
  }
  const std::string sum = fmt::format("{} of {} of the contract exercised",
                                      Count(all - count), Count(all, "cell"));
  if (count == 0) return Element("p", "", sum + ".");
  return Element("details", "",
                 Element("summary", "", sum + "; " + Count(count) + " never") +
                     Element("ul", "class=\"columns\"", missing) +
                     AndMore(count - static_cast<int64_t>(kMostCells), "cells"));
}

Markup RunBlock(const RunJournal& run) {
  std::map<std::string, int64_t> passed;
  for (const CaseRecord& record : run.cases)
    if (IsPassed(record)) ++passed[record.kind];
  return Element("h3", "",
                 run.header.backend.name + " on " +
                     (run.header.suite.empty() ? run.file : run.header.suite)) +
         Levels(*run.footer, passed) + Cells(*run.footer);
}

}  // namespace

Markup ContractSection(const ReportInput& input) {
  Markup blocks;
  Budget budget(kBytes);
  int64_t left_out = 0;
  for (const RunJournal& run : input.runs)
    if (run.footer) left_out += budget.Append(blocks, RunBlock(run)) ? 0 : 1;
  if (blocks.empty()) return Markup();
  return Section("contract", "Levels and contract", blocks + AndMore(left_out, "runs"));
}

}  // namespace qconform
