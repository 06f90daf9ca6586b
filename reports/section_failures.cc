#include <fmt/format.h>

#include <map>

#include "reports/page_parts.h"
#include "reports/sections.h"
#include "reports/verdict_counts.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 400'000;
constexpr size_t kCasesInFull = 3;   // of one cause
constexpr size_t kCasesById = 60;    // of one cause, after those
constexpr size_t kDetailLines = 12;  // of one case

struct Cause {
  std::string title;
  std::vector<const CaseRecord*> cases;
};

// Failures of one backend with one verdict and one cause are told together.
std::vector<Cause> CausesOf(const ReportInput& input) {
  std::vector<Cause> causes;
  std::map<std::string, size_t> index;
  for (const RunJournal& run : input.runs) {
    for (const CaseRecord& record : run.cases) {
      if (!IsFailed(record)) continue;
      std::string title = VerdictWord(record);
      if (!record.cause.empty()) title += " · " + record.cause;
      title += " · " + run.header.backend.name;
      const auto [found, is_new] = index.emplace(title, causes.size());
      if (is_new) causes.push_back({title, {}});
      causes[found->second].cases.push_back(&record);
    }
  }
  return causes;
}

std::string FactsOf(const CaseRecord& record) {
  std::string facts;
  const auto add = [&facts](const std::string& text) {
    facts += (facts.empty() ? "" : " · ") + text;
  };
  if (!record.phase.empty()) add("in " + record.phase);
  if (record.wrong_elements > 0) {
    add(Count(record.wrong_elements) + " of " + Count(record.elements, "element") +
        " wrong");
  }
  if (!record.path.empty()) add("path " + record.path);
  if (!record.scheme_compared.empty()) add("under " + record.scheme_compared);
  if (!record.scheme_declared.empty() &&
      record.scheme_declared != record.scheme_compared) {
    add("declared " + record.scheme_declared);
  }
  if (!record.row.empty()) add("row " + record.row);
  return facts;
}

Markup CaseBlock(const CaseRecord& record) {
  Markup details;
  for (size_t i = 0; i < std::min(kDetailLines, record.details.size()); ++i) {
    details += Element("li", "", record.details[i]);
  }
  if (!record.reason.empty()) {
    details += Element("li", "", "it says: " + record.reason);
  }
  if (!record.printed.empty()) {
    details += Element("li", "", "it printed: " + record.printed);
  }
  return Element(
      "div", "class=\"case\"",
      Element("code", "class=\"id\"", record.id) + Element("small", "", FactsOf(record)) +
          (details.empty() ? Markup() : Element("ul", "class=\"mono\"", details)));
}

Markup CauseBlock(const Cause& cause) {
  const size_t count = cause.cases.size();
  Markup block =
      Element("h3", "", cause.title + " · " + Count(static_cast<int64_t>(count), "case"));
  for (size_t i = 0; i < std::min(kCasesInFull, count); ++i) {
    block += CaseBlock(*cause.cases[i]);
  }
  Markup ids;
  for (size_t i = kCasesInFull; i < std::min(kCasesInFull + kCasesById, count); ++i) {
    ids += Element("li", "", Code(cause.cases[i]->id));
  }
  if (ids.empty()) return block;
  const auto more = static_cast<int64_t>(count - kCasesInFull);
  return block + Element("details", "",
                         Element("summary", "", Count(more) + " more with this cause") +
                             Element("ul", "class=\"plain\"", ids) +
                             AndMore(more - static_cast<int64_t>(kCasesById), "cases"));
}

}  // namespace

Markup FailuresSection(const ReportInput& input) {
  const std::vector<Cause> causes = CausesOf(input);
  if (causes.empty()) return Markup();
  Markup blocks =
      Element("p", "class=\"note\"",
              "One block a cause. A case's id rebuilds it alone: qconform run "
              "--filter 'ID'.");
  Budget budget(kBytes);
  int64_t left_out = 0;
  for (const Cause& cause : causes) {
    left_out += budget.Append(blocks, CauseBlock(cause)) ? 0 : 1;
  }
  return Section("failures", "Failures", blocks + AndMore(left_out, "causes"));
}

}  // namespace qconform
