#include "cli/print_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace qconform {
namespace {

std::string ResultText(const std::string& name, int64_t count, bool declared) {
  if (name == "PASS") return fmt::format("{:>5} pass", count);
  if (name == "PASS_SCHEME") return fmt::format("{:>5} pass", count);
  if (name == "REFUSED" && !declared)
    return fmt::format("{:>5} refused (config has no row)", count);
  if (name == "REFUSED") return fmt::format("{:>5} REFUSED although declared", count);
  return fmt::format("{:>5} {}", count, name);
}

void PrintGroups(const Summary& summary, std::ostream& out) {
  size_t width = 0;
  for (const GroupCounts& group : summary.groups())
    width = std::max(width, group.group.size());
  for (const GroupCounts& group : summary.groups()) {
    std::string line = fmt::format("{:<{}}", group.group, width);
    for (const auto& [name, count] : group.results)
      line += " " + ResultText(name, count, !group.row.empty());
    if (!group.note.empty()) line += "   " + group.note;
    out << line << "\n";
  }
}

void PrintCoverage(const RunFooter& footer, const std::string& journal,
                   std::ostream& out) {
  if (footer.rows.empty()) {
    out << "contract    the backend has no config: nothing is declared\n";
    return;
  }
  const auto exercised =
      std::count_if(footer.rows.begin(), footer.rows.end(),
                    [](const RowCoverage& row) { return row.cases > 0; });
  out << fmt::format("contract    {} of {} rows of the config exercised", exercised,
                     footer.rows.size());
  if (!journal.empty()) out << "; the footer of " << journal << " lists them";
  out << "\n";
}

void PrintFirstFailure(const Summary& summary, const std::string& repro,
                       std::ostream& out) {
  if (!summary.first_failure()) return;
  const CaseRecord& first = *summary.first_failure();
  out << "first       " << first.id << "\n";
  std::string verdict(VerdictName(first.verdict));
  if (!first.signal.empty()) verdict += "(" + first.signal + ")";
  if (!first.cause.empty()) verdict += ", " + first.cause;
  const int64_t same = summary.SameCauseAsFirst();
  out << "            " << verdict;
  if (same > 1) out << "; " << same << " failures share this cause";
  out << "\n";
  for (const std::string& line : first.details) out << "            " << line << "\n";
  if (!first.printed.empty()) out << "            it printed: " << first.printed << "\n";
  out << "            " << repro << " '" << first.id << "'\n";
}

}  // namespace

void PrintRun(const SessionResult& result, const std::string& repro,
              const std::string& journal, std::ostream& out) {
  const Summary& summary = result.summary;
  PrintGroups(summary, out);
  PrintCoverage(result.footer, journal, out);
  PrintFirstFailure(summary, repro, out);
  if (result.resumed > 0)
    out << "resumed     " << result.resumed << " verdicts were in the journal already\n";
  if (result.interrupted) {
    out << "interrupted after " << summary.total() << " of " << result.footer.selected
        << " cases" << (journal.empty() ? "" : "; go on with --resume " + journal)
        << "\n";
  }
  out << summary.SpecialsLine() << "\n" << summary.LastLine() << std::endl;
}

}  // namespace qconform
