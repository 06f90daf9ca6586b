#include "conformance/verdict/run_difference.h"

#include <fmt/format.h>

#include <map>

#include "reference/diff/changed_line.h"

namespace qconform {
namespace {

std::string BackendText(const BackendIdentity& backend) {
  return fmt::format("{} {} sha256 {}", backend.name, backend.version,
                     backend.sha256.substr(0, 12));
}

std::string MachineText(const std::map<std::string, std::string>& machine) {
  std::string text;
  for (const auto& [key, value] : machine) {
    text += (text.empty() ? "" : ", ") + key + " " + value;
  }
  return text;
}

std::string DiffHeaders(const RunHeader& a, const RunHeader& b) {
  std::string text;
  AppendChange(text, "harness", a.tool, b.tool);
  AppendChange(text, "suite", a.suite + " " + a.suite_digest.substr(0, 12),
               b.suite + " " + b.suite_digest.substr(0, 12));
  AppendChange(text, "backend", BackendText(a.backend), BackendText(b.backend));
  AppendChange(text, "config", a.config_digest.substr(0, 12),
               b.config_digest.substr(0, 12));
  AppendChange(text, "machine", MachineText(a.machine), MachineText(b.machine));
  return text;
}

std::string Why(const CaseRecord& record) {
  if (!record.cause.empty()) return record.cause;
  if (!record.reason.empty()) return record.reason;
  return record.details.empty() ? record.signal : record.details.front();
}

const char* KindOf(const CaseRecord& before, const CaseRecord& after) {
  if (before.verdict == after.verdict) {
    return before.wrong_elements == after.wrong_elements ? "same" : "other bits";
  }
  if (IsFailed(after) && !IsFailed(before)) return "newly failing";
  if (IsPassed(after) && !IsPassed(before)) return "newly passing";
  if (after.verdict == Verdict::kRefused) return "newly refused";
  return "other verdict";
}

}  // namespace

RunDifference DiffRuns(const Journal& a, const Journal& b) {
  RunDifference difference;
  std::string& text = difference.text;
  text = DiffHeaders(*a.header, *b.header);
  std::map<std::string, const CaseRecord*> after;
  for (const CaseRecord& record : b.cases) {
    after[record.suite + "/" + record.id] = &record;
  }
  std::map<std::string, size_t> counts;
  for (const CaseRecord& record : a.cases) {
    const auto found = after.find(record.suite + "/" + record.id);
    if (found == after.end()) {
      ++counts["gone"];
      text += fmt::format("< gone {} {}\n", record.id, VerdictName(record.verdict));
      continue;
    }
    const CaseRecord& other = *found->second;
    const std::string kind = KindOf(record, other);
    ++counts[kind];
    if (kind != "same") {
      const std::string why = Why(other);
      text += fmt::format("{} {}  {} -> {}{}{}\n", kind, record.id,
                          VerdictName(record.verdict), VerdictName(other.verdict),
                          why.empty() ? "" : "  ", why);
    }
    after.erase(found);
  }
  for (const auto& [key, record] : after) {
    ++counts["new"];
    text += fmt::format("> new {} {}\n", record->id, VerdictName(record->verdict));
  }
  std::string summary;
  for (const char* kind : {"same", "other bits", "newly failing", "newly passing",
                           "newly refused", "other verdict", "gone", "new"}) {
    if (counts[kind] == 0) continue;
    summary += (summary.empty() ? "" : ", ") + fmt::format("{} {}", counts[kind], kind);
    const std::string name = kind;
    difference.verdicts_differ =
        difference.verdicts_differ || (name != "same" && name != "other bits");
  }
  if (!text.empty()) text += "cases  " + (summary.empty() ? "none" : summary) + "\n";
  return difference;
}

}  // namespace qconform
