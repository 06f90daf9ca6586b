#include "cli/print_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/cases/memory_need.h"
#include "conformance/contract/kernel/kernel_cases.h"

namespace qconform {
namespace {

// Groups of nothing but skipped cases that are told one by one, of each reason.
constexpr size_t kSkippedGroups = 3;

// Why the cases of a group were skipped, in two words.
std::string SkippedWord(const GroupCounts& group) {
  if (group.note.starts_with(kNoCase)) return "not asked";
  if (group.note.starts_with(kNotRun)) return "not run";
  return "refused (config has no row)";
}

std::string ResultText(const std::string& name, int64_t count, const GroupCounts& group) {
  if (name == "PASS") return fmt::format("{:>5} pass", count);
  if (name == "PASS_SCHEME") {
    return fmt::format("{:>5} pass, exact modulo scheme {} (declared)", count,
                       group.scheme);
  }
  if (name == "REFUSED") return fmt::format("{:>5} {}", count, SkippedWord(group));
  return fmt::format("{:>5} {}", count, name);
}

// Passes first, what was not run last.
int PlaceOf(const std::string& name) {
  if (name.starts_with("PASS")) return 0;
  return name == "REFUSED" ? 2 : 1;
}

bool IsSkippedWhole(const GroupCounts& group) {
  return group.results.size() == 1 && group.results.begin()->first == "REFUSED";
}

// What is not told one by one: a backend of few operators refuses most suites.
struct Untold {
  size_t groups = 0;
  int64_t cases = 0;
};

void PrintGroups(const Summary& summary, const std::string& journal, std::ostream& out) {
  size_t width = 0;
  for (const GroupCounts& group : summary.groups())
    width = std::max(width, group.group.size());
  std::map<std::string, size_t> skipped, told;
  for (const GroupCounts& group : summary.groups())
    if (IsSkippedWhole(group)) ++skipped[SkippedWord(group)];
  std::map<std::string, Untold> untold;
  for (const GroupCounts& group : summary.groups()) {
    const std::string word = SkippedWord(group);
    // One more line says no less than one that counts it.
    if (IsSkippedWhole(group) && ++told[word] > kSkippedGroups &&
        skipped[word] > kSkippedGroups + 1) {
      ++untold[word].groups;
      untold[word].cases += group.results.begin()->second;
      continue;
    }
    std::string line = fmt::format("{:<{}}", group.group, width);
    for (int place = 0; place <= 2; ++place)
      for (const auto& [name, count] : group.results)
        if (PlaceOf(name) == place) line += " " + ResultText(name, count, group);
    if (!group.note.empty()) line += "   " + group.note;
    out << line << "\n";
  }
  for (const auto& [word, rest] : untold) {
    out << fmt::format("{:<{}} {:>5} {}", fmt::format("{} more groups", rest.groups),
                       width, rest.cases, word)
        << (journal.empty() ? "" : "   listed in " + journal) << "\n";
  }
}

void PrintCoverage(const RunFooter& footer, const std::string& journal,
                   std::ostream& out) {
  if (footer.contract.empty()) {
    out << "contract    the backend has no config: nothing is declared\n";
  } else {
    const auto exercised =
        std::count_if(footer.contract.begin(), footer.contract.end(),
                      [](const RowCoverage& cell) { return cell.cases > 0; });
    const auto all = static_cast<int64_t>(footer.contract.size());
    out << fmt::format("contract    {} of {} cells exercised", exercised, all);
    if (!journal.empty() && exercised < all)
      out << fmt::format("; {} listed in {}, \"contract\"", all - exercised, journal);
    out << "\n";
  }
  std::string levels;
  for (const auto& [name, level] : footer.levels)
    levels += fmt::format("{}{} {}", levels.empty() ? "" : ", ", name, level);
  if (!levels.empty()) out << "levels      " << levels << "\n";
}

// Which code paths agree, and which are not on this machine.
void PrintPaths(const SessionResult& result, std::ostream& out) {
  std::map<std::string, int64_t> cases;
  for (const CaseRecord& record : result.records)
    if (!IsSkipped(record) && !record.path.empty()) ++cases[record.path];
  const bool several = std::any_of(cases.begin(), cases.end(), [](const auto& path) {
    return path.first.find('=') != std::string::npos;
  });
  if (!several && result.footer.missing.empty()) return;
  for (const auto& [path, count] : cases)
    out << fmt::format("paths       {}   {} cases\n", path, count);
  for (const std::string& missing : result.footer.missing)
    if (missing.starts_with("path "))
      out << fmt::format("missing     {}: not on this machine, not run\n", missing);
}

void PrintRestarts(const SessionResult& result, std::ostream& out) {
  int64_t count = 0;
  double sum = 0;
  double longest = 0;
  for (const CaseRecord& record : result.records) {
    if (record.start_seconds == 0) continue;
    ++count;
    sum += record.start_seconds;
    longest = std::max(longest, record.start_seconds);
  }
  if (count == 0) return;
  out << fmt::format(
      "restarts    {} times a worker, in {:.1f} ms on average, {:.1f} ms "
      "at most\n",
      count, sum / static_cast<double>(count) * 1000, longest * 1000);
}

void PrintKnown(const SessionResult& result, std::ostream& out) {
  const Summary& summary = result.summary;
  const int64_t expired = summary.CountOf(Verdict::kExpired);
  const int64_t known = summary.CountOf(Verdict::kKnown) + expired;
  const int64_t passes = summary.CountOf(Verdict::kUnexpectedPass);
  if (known + passes == 0) return;
  out << fmt::format("known       {} ({} expired)", known, expired);
  const auto first = std::find_if(result.records.begin(), result.records.end(),
                                  [](const CaseRecord& record) {
                                    return record.verdict == Verdict::kUnexpectedPass;
                                  });
  if (first != result.records.end())
    out << fmt::format("   UNEXPECTED PASS {}: {}", passes, first->id);
  out << "\n";
}

// The cause once, with how many failures share it.
void PrintFirstFailure(const Summary& summary, const std::string& repro,
                       std::ostream& out) {
  if (!summary.first_failure()) return;
  const CaseRecord& first = *summary.first_failure();
  std::string verdict(VerdictName(first.verdict));
  if (!first.signal.empty()) verdict += "(" + first.signal + ")";
  if (!first.cause.empty()) verdict += ", " + first.cause;
  const int64_t same = summary.SameCauseAsFirst();
  const std::string cause = first.cause.empty() ? verdict : first.cause;
  if (same > 1 && same == summary.failed())
    verdict += fmt::format("; all {} failures share: {}", same, cause);
  else if (same > 1)
    verdict +=
        fmt::format("; {} of {} failures share: {}", same, summary.failed(), cause);
  out << "first       " << first.id << "\n            " << verdict << "\n";
  // repro tells the rest.
  for (size_t i = 0; i < std::min<size_t>(first.details.size(), 4); ++i)
    out << "            " << first.details[i] << "\n";
  if (!first.printed.empty()) out << "            it printed: " << first.printed << "\n";
  out << "            " << repro << " '" << first.id << "'\n";
}

}  // namespace

void PrintRun(const SessionResult& result, const std::string& repro,
              const std::string& journal, std::ostream& out,
              const std::string& saboteurs) {
  const Summary& summary = result.summary;
  PrintGroups(summary, journal, out);
  PrintPaths(result, out);
  PrintCoverage(result.footer, journal, out);
  if (!saboteurs.empty()) out << "saboteurs   " << saboteurs << "\n";
  PrintRestarts(result, out);
  PrintFirstFailure(summary, repro, out);
  if (result.resumed > 0)
    out << "resumed     " << result.resumed << " verdicts were in the journal already\n";
  if (result.interrupted) {
    out << "interrupted after " << summary.total() << " of " << result.footer.selected
        << " cases" << (journal.empty() ? "" : "; go on with --resume " + journal)
        << "\n";
  }
  PrintKnown(result, out);
  if (summary.total() > 0 && summary.total() == summary.skipped())
    out << "no verdict  every case was skipped, and a run that shows nothing fails\n";
  out << summary.SpecialsLine() << "\n" << summary.LastLine() << std::endl;
}

}  // namespace qconform
