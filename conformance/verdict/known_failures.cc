#include "conformance/verdict/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "conformance/cases/suite_row.h"

namespace qconform {
namespace {

// Of the cases that stand for stale entries.
constexpr const char* kGroup = "known/";

bool HasWord(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

std::string FactOf(const Facts& machine, const std::string& name) {
  const auto found = machine.find(name);
  return found == machine.end() ? "" : found->second;
}

bool Holds(const std::string& key, const std::string& value, const CaseRecord& record,
           const Facts& machine) {
  if (key == "isa") {
    if (!record.path.empty()) return record.path == value;
    // It ended before it could say its path.
    const std::string forced = FactOf(machine, "QCONFORM_ISA");
    return forced.empty() ? HasWord(FactOf(machine, "features"), value) : forced == value;
  }
  if (key == "features") return HasWord(FactOf(machine, key), value);
  const std::string fact = FactOf(machine, key);
  return fact.find(value) != std::string::npos;
}

// Of an id or of a pattern of ids: names a seed.
bool IsDrawnOtherwise(const std::string& id) { return WithoutDataSeed(id) != id; }

std::string Told(const KnownFailure& entry) {
  return fmt::format("{}: {} ({}, since {}, expires {})", entry.issue, entry.reason,
                     entry.owner, entry.since, entry.expires);
}

// As a part of an id, which holds none of `: - * ?`.
std::string IdWord(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

}  // namespace

bool IsAbout(const KnownFailure& entry, const CaseRecord& record, const Facts& machine) {
  return entry.pattern.Selects(record.id) &&
         std::all_of(entry.where.begin(), entry.where.end(), [&](const auto& condition) {
           return Holds(condition.first, condition.second, record, machine);
         });
}

void ApplyKnown(const KnownFailures& known, const Facts& machine,
                const std::string& today, CaseRecord& record) {
  if (record.group.starts_with(kGroup)) return;
  for (const KnownFailure& entry : known.entries) {
    if (!IsAbout(entry, record, machine)) continue;
    const bool passed = IsPassed(record);
    // With other data than it was listed with, a pass is no news.
    if (passed && IsDrawnOtherwise(record.id) && !IsDrawnOtherwise(entry.id)) continue;
    // Refused without a row, or failing in another way than the one listed.
    if (!passed && (IsSkipped(record) || record.verdict != entry.verdict)) continue;
    record.listed = VerdictName(record.verdict);
    const std::string told = Told(entry);
    if (passed) {
      record.verdict = Verdict::kUnexpectedPass;
      record.level = -1;
      record.cause = "listed as known";
      record.details = {fmt::format("{}:{} lists it as {}, and it passes", known.file,
                                    entry.line, VerdictName(entry.verdict))};
    } else if (entry.expires <= today) {
      record.verdict = Verdict::kExpired;
      record.details.push_back(fmt::format("{}:{} expired on {}: {}", known.file,
                                           entry.line, entry.expires, told));
    } else {
      record.verdict = Verdict::kKnown;
      record.reason = told;
    }
    return;
  }
}

std::vector<CaseSource> StaleEntries(const KnownFailures& known,
                                     const std::vector<std::string>& ids) {
  std::vector<CaseSource> sources;
  const std::string group =
      kGroup + IdWord(std::filesystem::path(known.file).stem().string());
  for (const KnownFailure& entry : known.entries) {
    if (std::any_of(ids.begin(), ids.end(),
                    [&](const std::string& id) { return entry.pattern.Selects(id); }))
      continue;
    const std::string detail = fmt::format("{}:{} '{}' matches no case of the suites",
                                           known.file, entry.line, entry.id);
    sources.push_back({fmt::format("{}/line{}", group, entry.line), group,
                       [detail](const Subject& subject) {
                         CaseRecord record;
                         record.suite = "known";
                         record.backend = subject.identity;
                         record.cause = "matches no case";
                         record.details = {detail};
                         return record;
                       }});
  }
  return sources;
}

}  // namespace qconform
