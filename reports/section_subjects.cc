#include <fmt/format.h>

#include <map>
#include <set>

#include "reports/page_parts.h"
#include "reports/sections.h"
#include "reports/verdict_counts.h"

namespace qconform {
namespace {

constexpr size_t kSubjectBytes = 120'000;
constexpr size_t kSourceBytes = 40'000;

Markup Small(std::string_view text) { return Element("small", "", text); }

Markup WithSmall(const Markup& first, std::string_view second) {
  return second.empty() ? first : first + Small(second);
}

// "2026-11-29T21:40:11Z" for people.
std::string Clock(std::string time) {
  if (time.size() == 20 && time[10] == 'T' && time[19] == 'Z') {
    time = time.substr(0, 10) + " " + time.substr(11, 8) + " UTC";
  }
  return time;
}

// "Xeon · cores 2 · ..."
std::string MachineText(const std::map<std::string, std::string>& machine) {
  std::string text;
  if (const auto cpu = machine.find("cpu"); cpu != machine.end()) text = cpu->second;
  for (const auto& [key, value] : machine) {
    if (key == "cpu" || value.empty()) continue;
    text += (text.empty() ? "" : " · ") + key + " " + value;
  }
  return text;
}

Markup Machines(const ReportInput& input, Budget& budget) {
  std::set<std::string> machines;
  for (const RunJournal& run : input.runs) {
    machines.insert(MachineText(run.header.machine));
  }
  machines.erase("");
  Markup items;
  for (const std::string& machine : machines) {
    budget.Append(items, Element("li", "", machine));
  }
  if (machines.empty() && !input.runs.empty()) {
    items = Element("li", "", "The journals do not say.");
  }
  if (items.empty()) return Markup();
  return Element("h3", "", machines.size() > 1 ? "Machines" : "Machine") +
         Element("ul", "class=\"plain\"", items);
}

}  // namespace

Markup SubjectsSection(const ReportInput& input) {
  if (input.runs.empty()) return Markup();
  Table table({{"Backend"}, {"Binary"}, {"Judged on"}, {"Its config"}, {"Verdicts"}});
  Budget budget(kSubjectBytes);
  int64_t left_out = 0;
  for (const RunJournal& run : input.runs) {
    const RunHeader& header = run.header;
    const std::string version =
        header.backend.version + (header.abi.empty() ? "" : " · ABI " + header.abi);
    VerdictCounts counts;
    for (const CaseRecord& record : run.cases) counts.Add(record);
    std::string when = run.file + " · " + Clock(header.started);
    if (run.footer && run.footer->seconds > 0) {
      when += " · " + Duration(run.footer->seconds);
    }
    const bool fits = table.AddRow(
        {WithSmall(Element("b", "", header.backend.name), version),
         WithSmall(Digest(header.backend.sha256), header.backend.file),
         WithSmall(Text(header.suite) + Text(" ") + Digest(header.suite_digest), when),
         Digest(header.config_digest), counts.VerdictBar() + counts.Words()},
        run.failed > 0 || run.passed == 0 ? "bad" : "", &budget);
    left_out += fits ? 0 : 1;
  }
  return Section("subjects", "Who was judged",
                 table.Render() + AndMore(left_out, "runs") + Machines(input, budget));
}

Markup SourcesSection(const ReportInput& input) {
  if (input.sources.empty()) return Markup();
  Table table({{"File"}, {"SHA-256"}});
  Budget budget(kSourceBytes);
  int64_t left_out = 0;
  for (const ReportSource& source : input.sources) {
    const bool fits = table.AddRow({Text(source.name), Code(source.sha256)}, "", &budget);
    left_out += fits ? 0 : 1;
  }
  return Section("sources", "Made from", table.Render() + AndMore(left_out, "files"));
}

}  // namespace qconform
