#include "conformance/verdict/known_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace qconform {
namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The verdict before an entry changed it.
CaseRecord AsJudged(CaseRecord record) {
  if (record.listed.empty()) return record;
  if (const auto verdict = ParseVerdict(record.listed)) record.verdict = *verdict;
  return record;
}

bool IsListed(const KnownFailures& known, const CaseRecord& record,
              const Facts& machine) {
  return std::any_of(known.entries.begin(), known.entries.end(), [&](const auto& entry) {
    return entry.verdict == record.verdict && IsAbout(entry, record, machine);
  });
}

// Of the cases that the entry's pattern has, none fails as listed. Where the entry
// speaks about another machine, nothing is known.
bool IsStale(const KnownFailure& entry, const std::vector<CaseRecord>& records,
             const Facts& machine) {
  bool any = false;
  for (const CaseRecord& record : records) {
    if (!entry.pattern.Selects(record.id)) continue;
    any = true;
    if (!IsAbout(entry, record, machine) || record.verdict == entry.verdict) return false;
  }
  // Of an incomplete run nobody can say that a case is gone.
  return any;
}

}  // namespace

std::string PatchOf(const KnownFailures& known, const std::optional<std::string>& text,
                    const Journal& run) {
  const Facts& machine = run.header->machine;
  std::vector<CaseRecord> records;
  std::vector<int> stale_lines;
  for (const CaseRecord& record : run.cases) {
    if (record.suite != "known") records.push_back(AsJudged(record));
  }
  for (const KnownFailure& entry : known.entries) {
    const bool matches = std::any_of(
        records.begin(), records.end(),
        [&](const CaseRecord& record) { return entry.pattern.Selects(record.id); });
    const bool gone = !matches && run.footer && run.footer->complete;
    if (gone || IsStale(entry, records, machine)) stale_lines.push_back(entry.line);
  }
  std::vector<std::string> added;
  for (const CaseRecord& record : records)
    if (IsFailed(record) && !IsListed(known, record, machine))
      added.push_back(
          fmt::format("{},{},any,,,,,", record.id, VerdictName(record.verdict)));
  if (stale_lines.empty() && added.empty()) return "";

  const std::vector<std::string> lines = LinesOf(text.value_or(""));
  if (!text) added.insert(added.begin(), kKnownFailuresHeader);
  std::string patch =
      fmt::format("--- {}\n+++ {}\n", text ? known.file : "/dev/null", known.file);
  int removed = 0;
  for (const int number : stale_lines) {
    patch += fmt::format("@@ -{},1 +{},0 @@\n-{}\n", number, number - 1 - removed,
                         lines[static_cast<size_t>(number) - 1]);
    ++removed;
  }
  if (!added.empty()) {
    const auto end = static_cast<int>(lines.size());
    patch += fmt::format("@@ -{},0 +{},{} @@\n", end, end + 1 - removed, added.size());
    for (const std::string& line : added) patch += "+" + line + "\n";
  }
  return patch;
}

}  // namespace qconform
