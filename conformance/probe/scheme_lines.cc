#include "conformance/probe/scheme_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace qconform {
namespace {

// "not half to even: acc=5 at 0.5 -> 3, not 2"; "" if no answer rules a sibling out.
std::string EvidenceOf(const Scheme& scheme, SchemePart part,
                       const Disagreement& disagreement) {
  for (const Scheme& sibling : Siblings(scheme, part)) {
    const std::string answer = disagreement(sibling);
    if (!answer.empty())
      return fmt::format("not {}: {}", PartText(sibling, part), answer);
  }
  return "";
}

}  // namespace

std::vector<ProbeLine> SchemeLines(const std::vector<Scheme>& alive,
                                   const std::vector<SchemePart>& parts,
                                   const Disagreement& disagreement) {
  std::vector<ProbeLine> lines;
  if (alive.empty()) return lines;
  for (const SchemePart part : parts) {
    std::vector<std::string> texts;
    for (const Scheme& scheme : alive) {
      std::string text = PartText(scheme, part);
      if (std::find(texts.begin(), texts.end(), text) == texts.end())
        texts.push_back(std::move(text));
    }
    ProbeLine line{PartName(part), fmt::format("{}", fmt::join(texts, " or ")),
                   texts.size() == 1 ? EvidenceOf(alive[0], part, disagreement) : ""};
    lines.push_back(std::move(line));
  }
  return lines;
}

void SetSchemes(ProbeReport& report, const std::vector<Scheme>& alive,
                const std::vector<std::string>& declared) {
  for (const Scheme& scheme : alive) report.schemes.push_back(SchemeName(scheme));
  report.declared = declared;
  for (const std::string& name : declared) {
    // Of the calls whose output has its input's qparams: nothing is rounded there.
    if (name == kCopySchemeName && declared.size() > 1) continue;
    report.declares_what_it_does = report.declares_what_it_does &&
                                   std::find(report.schemes.begin(), report.schemes.end(),
                                             name) != report.schemes.end();
  }
}

}  // namespace qconform
