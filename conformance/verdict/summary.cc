#include "conformance/verdict/summary.h"

#include <fmt/format.h>

namespace qconform {
namespace {

std::string ResultName(const CaseRecord& record) {
  if (record.verdict == Verdict::kRefused && IsFailed(record)) return kRefusedRow;
  std::string name(VerdictName(record.verdict));
  if (!record.signal.empty()) name += "(" + record.signal + ")";
  return name;
}

// Failures of one cause are told once.
std::string CauseKey(const CaseRecord& record) {
  return ResultName(record) + " " + record.cause;
}

}  // namespace

void Summary::Add(const CaseRecord& record) {
  passed_ += IsPassed(record) ? 1 : 0;
  failed_ += IsFailed(record) ? 1 : 0;
  skipped_ += IsSkipped(record) ? 1 : 0;
  ++verdicts_[std::string(VerdictName(record.verdict))];
  if (!IsSkipped(record)) {
    std::string cell = record.row.empty() ? "no row" : record.row;
    for (const std::string* part :
         {&record.group, &record.fill, &record.scheme_declared, &record.path})
      cell += " | " + *part;
    ++cells_[cell];
  }
  if (!group_index_.Contains(record.group)) {
    group_index_[record.group] = groups_.size();
    groups_.push_back({record.group, {}, "", ""});
  }
  GroupCounts& group = groups_[group_index_[record.group]];
  ++group.results[ResultName(record)];
  if (record.verdict == Verdict::kRefused && group.note.empty())
    group.note = record.reason;
  if (record.verdict == Verdict::kPassScheme) group.scheme = record.scheme_declared;
  if (group.note.empty()) {
    if (IsPassed(record) && record.kind == "program") {
      for (const std::string& line : record.details)
        if (line.starts_with("SQNR ")) group.note = line;
    } else if (!record.bound.empty()) {
      group.note = "bounded by " + record.bound;
    }
  }
  if (IsFailed(record)) {
    if (!first_failure_) first_failure_ = record;
    ++causes_[CauseKey(record)];
  }
}

int64_t Summary::CountOf(Verdict verdict) const {
  auto found = verdicts_.find(std::string(VerdictName(verdict)));
  return found == verdicts_.end() ? 0 : found->second;
}

int64_t Summary::SameCauseAsFirst() const {
  return first_failure_ ? causes_.at(CauseKey(*first_failure_)) : 0;
}

std::string Summary::SpecialsLine() const {
  std::string line =
      fmt::format("crashed {}, refused {}, known {}, unexpected passes {}",
                  CountOf(Verdict::kCrash), CountOf(Verdict::kRefused),
                  CountOf(Verdict::kKnown), CountOf(Verdict::kUnexpectedPass));
  // The rare ones only where there are any.
  const std::pair<Verdict, const char*> rare[] = {
      {Verdict::kHang, "hung"},
      {Verdict::kOutOfBounds, "out of bounds"},
      {Verdict::kMistrusted, "mistrusted"},
      {Verdict::kPathsDisagree, "paths disagree"},
      {Verdict::kFallback, "fell back"},
      {Verdict::kExpired, "expired"},
      {Verdict::kPassScheme, "passed under another scheme"}};
  for (const auto& [verdict, word] : rare)
    if (const int64_t count = CountOf(verdict))
      line += fmt::format(", {} {}", word, count);
  return line;
}

std::string Summary::LastLine() const {
  return fmt::format("{} passed, {} failed, {} skipped", passed_, failed_, skipped_);
}

int Summary::ExitCode(int64_t selected, bool interrupted) const {
  if (interrupted) return 2;
  if (selected == 0) return 5;
  // A run that executed nothing has shown nothing.
  return failed_ > 0 || passed_ + failed_ == 0 ? 1 : 0;
}

RunFooter Summary::Footer(int64_t selected, bool complete) const {
  RunFooter footer;
  footer.complete = complete;
  footer.selected = selected;
  footer.ran = passed_ + failed_;
  footer.verdicts = verdicts_;
  footer.passed = passed_;
  footer.failed = failed_;
  footer.skipped = skipped_;
  footer.cells = cells_;
  return footer;
}

}  // namespace qconform
