// A run as its journal tells it. The counts are taken from the cases, not from the
// footer, which may be missing.
#ifndef QCONFORM_REPORTS_RUN_JOURNAL_H_
#define QCONFORM_REPORTS_RUN_JOURNAL_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/record.h"

namespace qconform {

struct RunJournal {
  std::string file;  // name, for people
  RunHeader header;
  std::vector<CaseRecord> cases;  // each id once: the last line about it
  std::optional<RunFooter> footer;

  int64_t passed = 0;
  int64_t failed = 0;
  int64_t skipped = 0;
  // Announced by the header or footer, and without a line.
  int64_t not_run = 0;
  bool complete = false;  // a footer says so and nothing is missing
};

// JSON Lines as conformance/verdict/record.h writes them; a last line that was cut off
// is dropped. Throws ReportError.
RunJournal ParseRunJournal(std::string_view text, const std::string& file);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RUN_JOURNAL_H_
