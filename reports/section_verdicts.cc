#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/page_parts.h"
#include "reports/sections.h"
#include "reports/verdict_counts.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 400'000;

struct Group {
  std::string name;
  VerdictCounts counts;
  std::set<std::string> paths;
  int64_t elements = 0;
  int64_t wrong_elements = 0;
};

// In the order of the journal, those with failures first.
std::vector<Group> GroupsOf(const RunJournal& run) {
  std::vector<Group> groups;
  std::map<std::string, size_t> index;
  for (const CaseRecord& record : run.cases) {
    const std::string& name = record.group.empty() ? record.suite : record.group;
    const auto [found, is_new] = index.emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}, {}, 0, 0});
    Group& group = groups[found->second];
    group.counts.Add(record);
    if (!record.path.empty()) group.paths.insert(record.path);
    group.elements += record.elements;
    group.wrong_elements += record.wrong_elements;
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Group& group) { return group.counts.failed() > 0; });
  return groups;
}

std::string Joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Markup Line(const Group& group) {
  std::string ran = Joined(group.paths);
  if (group.elements > 0) {
    ran += (ran.empty() ? "" : " · ") + Count(group.elements, "element");
    if (group.wrong_elements > 0) ran += ", " + Count(group.wrong_elements) + " wrong";
  }
  return Element(
      "div", group.counts.failed() > 0 ? "class=\"line bad\"" : "class=\"line\"",
      Element("div", "class=\"name\"", group.name) + group.counts.VerdictBar() +
          Element("div", "class=\"words\"",
                  group.counts.Words() + Element("small", "", ran)));
}

Markup RunBlock(const RunJournal& run, Budget& budget) {
  const std::vector<Group> groups = GroupsOf(run);
  Markup lines;
  int64_t left_out = 0;
  for (const Group& group : groups) left_out += budget.Append(lines, Line(group)) ? 0 : 1;
  if (groups.empty()) {
    lines = Element("p", "class=\"loud\"", "This run has no case. It shows nothing.");
  }
  VerdictCounts all;
  for (const CaseRecord& record : run.cases) all.Add(record);
  const std::string title = run.header.backend.name + " " + run.header.backend.version +
                            " on " +
                            (run.header.suite.empty() ? run.file : run.header.suite);
  return Element("h3", "", title) + Element("p", "class=\"sum\"", all.Words()) + lines +
         AndMore(left_out, "groups");
}

}  // namespace

Markup VerdictsSection(const ReportInput& input) {
  Markup blocks;
  Budget budget(kBytes);
  for (const RunJournal& run : input.runs) blocks += RunBlock(run, budget);
  if (blocks.empty()) return Markup();
  return Section(
      "verdicts", "Verdicts",
      Element("p", "class=\"note\"",
              "Passed means equal to the reference to the bit under the scheme "
              "that the backend declares. Passed and skipped are never added "
              "up.") +
          blocks);
}

}  // namespace qconform
