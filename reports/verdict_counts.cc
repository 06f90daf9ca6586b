#include "reports/verdict_counts.h"

#include "reports/page_parts.h"

namespace qconform {
namespace {

std::string_view StyleOf(const CaseRecord& record) {
  if (record.verdict == Verdict::kPass) return "pass";
  if (IsPassed(record)) return "scheme";
  if (IsSkipped(record)) return record.verdict == Verdict::kKnown ? "known" : "skip";
  switch (record.verdict) {
    case Verdict::kCrash:
    case Verdict::kHang:
    case Verdict::kOutOfBounds:
      return "crash";
    default:
      return "fail";
  }
}

}  // namespace

std::string VerdictWord(const CaseRecord& record) {
  std::string word(VerdictName(record.verdict));
  if (!record.signal.empty()) word += " " + record.signal;
  if (record.verdict == Verdict::kRefused) {
    word += IsSkipped(record) ? ", not declared" : " although declared";
  }
  return word;
}

void VerdictCounts::Add(const CaseRecord& record) {
  passed_ += IsPassed(record) ? 1 : 0;
  failed_ += IsFailed(record) ? 1 : 0;
  skipped_ += IsSkipped(record) ? 1 : 0;
  const int band = IsPassed(record) ? 0 : IsFailed(record) ? 100 : 200;
  Entry& entry = entries_[{band + static_cast<int>(record.verdict), VerdictWord(record)}];
  entry.style = StyleOf(record);
  ++entry.count;
}

Markup VerdictCounts::VerdictBar() const {
  std::vector<BarPart> parts;
  for (const auto& [key, entry] : entries_) {
    parts.push_back({static_cast<double>(entry.count), entry.style,
                     Count(entry.count) + " " + key.second});
  }
  return Bar(parts);
}

Markup VerdictCounts::Words() const {
  Markup words;
  for (const auto& [key, entry] : entries_) {
    if (!words.empty()) words += Text(" · ");
    words += Word(Count(entry.count) + " " + key.second, entry.style);
  }
  return words;
}

}  // namespace qconform
