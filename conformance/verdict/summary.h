// What a run adds up to: counts, the last lines for a person, and the exit code.
#ifndef QCONFORM_CONFORMANCE_VERDICT_SUMMARY_H_
#define QCONFORM_CONFORMANCE_VERDICT_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/record.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

inline constexpr char kRefusedRow[] = "REFUSED although declared";

// One line of the table: the cases of one group and what became of them.
struct GroupCounts {
  std::string group;
  // "PASS", "CRASH(SIGSEGV)", "REFUSED" without a declared row and kRefusedRow with one.
  std::map<std::string, int64_t> results;
  std::string scheme;  // of PASS_SCHEME
  std::string note;    // reason of REFUSED
};

class Summary {
 public:
  void Add(const CaseRecord& record);

  int64_t passed() const { return passed_; }
  int64_t failed() const { return failed_; }
  int64_t skipped() const { return skipped_; }
  int64_t total() const { return passed_ + failed_ + skipped_; }
  int64_t CountOf(Verdict verdict) const;

  const std::vector<GroupCounts>& groups() const { return groups_; }
  // The first that failed, if any did, and how many share its cause.
  const std::optional<CaseRecord>& first_failure() const { return first_failure_; }
  int64_t SameCauseAsFirst() const;

  // "crashed 1, refused 12, known 0, unexpected passes 0"
  std::string SpecialsLine() const;
  // "463 passed, 5 failed, 12 skipped": the last line, alone.
  std::string LastLine() const;

  // 0, or 1 if a case failed or none was run; 5 if none was selected; 2 if
  // interrupted.
  int ExitCode(int64_t selected, bool interrupted) const;

  // Counts, verdicts and cells; the caller adds rows and time.
  RunFooter Footer(int64_t selected, bool complete) const;

 private:
  int64_t passed_ = 0;
  int64_t failed_ = 0;
  int64_t skipped_ = 0;
  std::map<std::string, int64_t> verdicts_;
  std::map<std::string, int64_t> cells_;
  std::map<std::string, int64_t> causes_;
  std::vector<GroupCounts> groups_;
  OrderedMap<size_t> group_index_;
  std::optional<CaseRecord> first_failure_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_SUMMARY_H_
