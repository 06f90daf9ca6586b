#include "conformance/verdict/merge_journals.h"

#include <algorithm>
#include <map>
#include <set>

#include "conformance/cases/shard.h"
#include "conformance/verdict/levels.h"
#include "conformance/verdict/summary.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

void CheckSame(const NamedJournal& first, const NamedJournal& other) {
  const RunHeader& a = *first.journal.header;
  const RunHeader& b = *other.journal.header;
  const auto check = [&](const std::string& one, const std::string& two,
                         const char* what) {
    if (one == two) return;
    throw InputError(other.name,
                     std::string("is of another ") + what + " than " + first.name,
                     one.substr(0, 12));
  };
  check(a.suite, b.suite, "suite");
  check(a.suite_digest, b.suite_digest, "content of the suite");
  check(a.backend.sha256, b.backend.sha256, "build of the backend");
  check(a.config_digest, b.config_digest, "config");
  check(a.tool, b.tool, "version of qconform");
}

// Every journal's shard, and those that none is of.
std::vector<std::string> MissingShards(const std::vector<NamedJournal>& journals) {
  std::set<int> seen;
  int count = 0;
  for (const auto& [name, journal] : journals) {
    const std::string& text = journal.header->shard;
    const Shard shard = text.empty() ? Shard{} : ParseShard(text, name);
    if (count != 0 && shard.count != count) {
      throw InputError(name, "is a shard of " + std::to_string(shard.count),
                       "of " + std::to_string(count) + " as the first journal");
    }
    count = shard.count;
    // Journals of whole runs are told apart by their cases.
    if (!seen.insert(shard.index).second && count > 1)
      throw InputError(name, "shard " + text + " is there twice", "each shard once");
  }
  std::vector<std::string> missing;
  for (int index = 1; index <= count; ++index)
    if (!seen.contains(index)) missing.push_back(Shard{index, count}.Text());
  return missing;
}

void AddCounts(const std::vector<RowCoverage>& from, std::vector<RowCoverage>& to) {
  for (const RowCoverage& row : from) {
    const auto found = std::find_if(to.begin(), to.end(),
                                    [&](const auto& had) { return had.row == row.row; });
    if (found == to.end()) {
      to.push_back(row);
    } else {
      found->cases += row.cases;
    }
  }
}

}  // namespace

Journal MergeJournals(const std::vector<NamedJournal>& journals) {
  if (journals.empty()) throw InputError("merge", "no journal", "at least one");
  Journal merged;
  merged.header = journals.front().journal.header;
  merged.header->shard.clear();
  merged.header->seed.clear();
  merged.header->cases = 0;
  RunFooter sums;
  bool complete = true;
  std::map<std::string, std::string> owner;
  for (const NamedJournal& each : journals) {
    CheckSame(journals.front(), each);
    const Journal& journal = each.journal;
    for (const CaseRecord& record : journal.cases) {
      const auto [found, is_new] = owner.emplace(record.id, each.name);
      // A resumed journal holds no case twice.
      if (!is_new)
        throw InputError(each.name, "case " + record.id + " is in " + found->second,
                         "each case in one journal");
      merged.cases.push_back(record);
    }
    merged.header->cases += journal.header->cases;
    complete &= journal.footer && journal.footer->complete;
    if (!journal.footer) continue;
    AddCounts(journal.footer->rows, sums.rows);
    AddCounts(journal.footer->contract, sums.contract);
    sums.seconds += journal.footer->seconds;
  }
  std::sort(merged.cases.begin(), merged.cases.end(),
            [](const CaseRecord& a, const CaseRecord& b) { return a.id < b.id; });
  Summary summary;
  for (const CaseRecord& record : merged.cases) summary.Add(record);
  sums.missing = MissingShards(journals);
  complete &= sums.missing.empty();
  RunFooter footer = summary.Footer(merged.header->cases, complete);
  footer.levels = LevelsOf(merged.cases);
  footer.rows = std::move(sums.rows);
  footer.contract = std::move(sums.contract);
  footer.missing = std::move(sums.missing);
  footer.seconds = sums.seconds;
  merged.footer = std::move(footer);
  return merged;
}

}  // namespace qconform
