// Verdicts of some cases, sorted into what a bar shows.
#ifndef QCONFORM_REPORTS_VERDICT_COUNTS_H_
#define QCONFORM_REPORTS_VERDICT_COUNTS_H_

#include <map>
#include <string>

#include "conformance/verdict/record.h"
#include "reports/markup.h"

namespace qconform {

class VerdictCounts {
 public:
  void Add(const CaseRecord& record);
  int64_t passed() const { return passed_; }
  int64_t failed() const { return failed_; }
  int64_t skipped() const { return skipped_; }
  int64_t total() const { return passed_ + failed_ + skipped_; }
  Markup VerdictBar() const;
  // "12 PASS · 3 FAIL": each verdict with its number, in the closed set's order.
  Markup Words() const;

 private:
  struct Entry {
    int64_t count = 0;
    std::string_view style;  // CSS class
  };
  std::map<std::pair<int, std::string>, Entry> entries_;  // by order, name
  int64_t passed_ = 0;
  int64_t failed_ = 0;
  int64_t skipped_ = 0;
};

// The verdict's name; a skipped refusal and a failed one are told apart.
std::string VerdictWord(const CaseRecord& record);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_VERDICT_COUNTS_H_
