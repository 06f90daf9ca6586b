#include "conformance/verdict/run_difference.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <unordered_map>

#include "reference/diff/changed_line.h"
#include "reference/ir/ordered_map.h"

namespace qconform {
namespace {

enum Class {
  kSameBits,
  kOtherBits,
  kNewlyFailing,
  kNewlyPassing,
  kNewlyRefused,
  kOtherVerdict,
  kGone,
  kNew,
};
constexpr std::array<const char*, 8> kClassNames = {
    "same bits",     "same verdict, other bits",
    "newly failing", "newly passing",
    "newly refused", "other verdict",
    "gone",          "new"};
// Of each class so many cases are named; the journals have the rest.
constexpr size_t kNamed = 10;

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

bool SameSuite(const RunHeader& a, const RunHeader& b) {
  return a.suite == b.suite && a.suite_digest == b.suite_digest;
}

std::string DiffHeaders(const RunHeader& a, const RunHeader& b) {
  std::string text;
  AppendChange(text, "suite", a.suite + " " + a.suite_digest.substr(0, 12),
               b.suite + " " + b.suite_digest.substr(0, 12));
  AppendChange(text, "harness", a.tool, b.tool);
  AppendChange(text, "backend", BackendText(a.backend), BackendText(b.backend));
  AppendChange(text, "config", a.config_digest.substr(0, 12),
               b.config_digest.substr(0, 12));
  AppendChange(text, "machine", MachineText(a.machine), MachineText(b.machine));
  return text;
}

std::string Why(const CaseRecord& record) {
  if (!record.cause.empty()) {
    return record.cause + (record.details.empty() ? "" : ": " + record.details.front());
  }
  if (!record.reason.empty()) return record.reason;
  return record.details.empty() ? record.signal : record.details.front();
}

bool SameBits(const CaseRecord& a, const CaseRecord& b) {
  if (a.bits.empty() || b.bits.empty()) return a.wrong_elements == b.wrong_elements;
  return a.bits == b.bits;
}

Class ClassOf(const CaseRecord& before, const CaseRecord& after) {
  if (before.verdict == after.verdict)
    return SameBits(before, after) ? kSameBits : kOtherBits;
  if (after.verdict == Verdict::kRefused) return kNewlyRefused;
  if (IsFailed(after) && !IsFailed(before)) return kNewlyFailing;
  if (IsPassed(after) && !IsPassed(before)) return kNewlyPassing;
  return kOtherVerdict;
}

// Why a case is in one journal only.
std::string WhyAlone(const Journal& with, const Journal& without, const char* did) {
  if (!SameSuite(*with.header, *without.header))
    return fmt::format("the suite {} it; not the backend", did);
  if (!without.footer || !without.footer->complete) return "the other run did not end";
  return "the other run did not select it";
}

void AppendCase(std::string& text, Class kind, size_t place, const std::string& id,
                const std::string& why) {
  if (place > kNamed) return;
  text += place == kNamed ? fmt::format("{:<15} ...\n", kClassNames[kind])
                          : fmt::format("{:<15} {}{}{}\n", kClassNames[kind], id,
                                        why.empty() ? "" : "   ", why);
}

// Other bits are told by group, with what changed along with them.
class OtherBits {
 public:
  void Add(const CaseRecord& before, const CaseRecord& after) {
    if (!groups_.Contains(after.group)) groups_.Set(after.group, {});
    Group& group = *groups_.Find(after.group);
    ++group.cases;
    Note(group.scheme, before.scheme_declared, after.scheme_declared);
    Note(group.path, before.path, after.path);
  }
  std::string Text() const {
    std::string text;
    for (const auto& [name, group] : groups_) {
      text += fmt::format("{:<15} {} in {}", "other bits", group.cases, name);
      if (!group.scheme.empty()) text += ", scheme " + group.scheme;
      if (!group.path.empty()) text += ", path " + group.path;
      text += "\n";
    }
    return text;
  }

 private:
  struct Group {
    int64_t cases = 0;
    std::string scheme, path;
  };
  static void Note(std::string& text, const std::string& before,
                   const std::string& after) {
    if (before != after && text.empty()) text = before + " -> " + after;
  }
  OrderedMap<Group> groups_;
};

std::string KeyOf(const CaseRecord& record) { return record.suite + "/" + record.id; }

}  // namespace

RunDifference DiffRuns(const Journal& a, const Journal& b) {
  std::unordered_map<std::string, const CaseRecord*> after;
  for (const CaseRecord& record : b.cases) after[KeyOf(record)] = &record;
  std::array<size_t, kClassNames.size()> counts = {};
  std::array<std::string, kClassNames.size()> lines;
  OtherBits other_bits;
  for (const CaseRecord& record : a.cases) {
    const auto found = after.find(KeyOf(record));
    if (found == after.end()) {
      AppendCase(lines[kGone], kGone, counts[kGone]++, record.id,
                 "(" + WhyAlone(a, b, "dropped") + ")");
      continue;
    }
    const CaseRecord& other = *found->second;
    const Class kind = ClassOf(record, other);
    const size_t place = counts[kind]++;
    if (kind == kOtherBits) {
      other_bits.Add(record, other);
    } else if (kind != kSameBits) {
      const std::string why = Why(other);
      AppendCase(lines[kind], kind, place, record.id,
                 fmt::format("{} -> {}{}{}", VerdictName(record.verdict),
                             VerdictName(other.verdict), why.empty() ? "" : "  ", why));
    }
    after.erase(found);
  }
  // In the order of the journal.
  for (const CaseRecord& record : b.cases)
    if (after.contains(KeyOf(record)))
      AppendCase(
          lines[kNew], kNew, counts[kNew]++, record.id,
          fmt::format("{} ({})", VerdictName(record.verdict), WhyAlone(b, a, "added")));
  lines[kOtherBits] = other_bits.Text();

  RunDifference difference;
  const std::string changes = DiffHeaders(*a.header, *b.header);
  std::string summary;
  for (size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", kClassNames[kind],
                           counts[kind]);
    difference.bits_differ |= kind != kSameBits;
    difference.verdicts_differ |= kind != kSameBits && kind != kOtherBits;
  }
  if (!difference.bits_differ && changes.empty()) return difference;
  difference.text = (summary.empty() ? "no cases" : summary) + "\n";
  for (const std::string& text : lines) difference.text += text;
  difference.text += changes;
  return difference;
}

}  // namespace qconform
