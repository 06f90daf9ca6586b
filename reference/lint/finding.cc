#include "reference/lint/finding.h"

#include <fmt/format.h>

#include <algorithm>

namespace qconform {

const char* LintSeverityName(LintSeverity severity) {
  return severity == LintSeverity::kError ? "error" : "warning";
}

std::string ToText(const LintFinding& finding) {
  return fmt::format("{}  {:<7}  {}{}{}{}", finding.where,
                     LintSeverityName(finding.severity), finding.subject,
                     finding.subject.empty() ? "" : "  ", finding.text,
                     finding.strict.empty() ? "" : "  (strict: " + finding.strict + ")");
}

ordered_json LintFindingToJson(const LintFinding& finding) {
  return {{"where", finding.where},  {"severity", LintSeverityName(finding.severity)},
          {"kind", finding.kind},    {"subject", finding.subject},
          {"text", finding.text},    {"modes_differ", !finding.strict.empty()},
          {"strict", finding.strict}};
}

LintFindings FindingsIn(Mode mode, const LintFindings& findings) {
  if (mode == Mode::kTorch) return findings;
  LintFindings kept;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(kept),
               [](const LintFinding& finding) { return finding.strict.empty(); });
  return kept;
}

bool HasErrors(const LintFindings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const LintFinding& finding) {
    return finding.severity == LintSeverity::kError;
  });
}

std::string LintSummary(const LintFindings& findings) {
  const auto differ =
      std::count_if(findings.begin(), findings.end(),
                    [](const LintFinding& finding) { return !finding.strict.empty(); });
  return fmt::format("{} finding{}: {} differ{} between --mode=torch and --mode=strict",
                     findings.size(), findings.size() == 1 ? "" : "s", differ,
                     differ == 1 ? "s" : "");
}

}  // namespace qconform
