#include "cli/saboteurs_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/data_folder.h"
#include "conformance/verdict/kill_record.h"

namespace qconform {
namespace {

// Of the suite's cases.
struct Share {
  size_t selected = 0;
  size_t executed = 0;
};

std::map<std::string, Share> SharesOf(const Selection& selection,
                                      const std::vector<CaseRecord>& records) {
  std::map<std::string, Share> shares;
  const auto suite_of = [](const std::string& id) { return id.substr(0, id.find('/')); };
  for (const CaseSource& source : selection.cases) ++shares[suite_of(source.id)].selected;
  for (const CaseRecord& record : records)
    if (record.verdict != Verdict::kRefused) ++shares[suite_of(record.id)].executed;
  return shares;
}

std::string CaughtText(const KillRecord& record,
                       const std::map<std::string, std::string>& suites) {
  const KillCount count = CountKills(record, suites);
  if (!count.changed.empty()) {
    return fmt::format("not known: they have not met {} as {} now",
                       fmt::join(count.changed, ", "),
                       count.changed.size() == 1 ? "it is" : "they are");
  }
  std::string tool = record.tool;
  if (const size_t space = tool.find(' '); space != std::string::npos)
    tool.replace(0, space, "harness");
  return fmt::format("{} of {} caught by {} (cached, {})", count.killed, count.saboteurs,
                     suites.size() == 1 ? "this suite" : "these suites", tool);
}

}  // namespace

std::string SaboteursLine(const Selection& selection,
                          const std::vector<CaseRecord>& records) {
  std::map<std::string, Share> shares = SharesOf(selection, records);
  std::map<std::string, std::string> suites;
  // What was refused from end to end supports no verdict.
  std::vector<std::string> idle;
  for (const auto& [name, digest] : selection.whole_suites) {
    if (shares[name].executed > 0)
      suites[name] = digest;
    else
      idle.push_back(name);
  }
  if (suites.empty()) return "";
  const std::filesystem::path file = DataFolder("kill_table.json", QCONFORM_KILL_TABLE);
  if (!std::filesystem::exists(file)) return "not known: what they met was not recorded";
  Share share;
  for (const auto& [name, digest] : suites) {
    share.selected += shares[name].selected;
    share.executed += shares[name].executed;
  }
  std::string line = CaughtText(ReadKillRecord(file), suites);
  if (!idle.empty())
    line += fmt::format("; without {}, of which no case ran", fmt::join(idle, ", "));
  if (share.executed < share.selected) {
    line += fmt::format("; {} of {} cases did not run here",
                        share.selected - share.executed, share.selected);
  }
  return line;
}

}  // namespace qconform
