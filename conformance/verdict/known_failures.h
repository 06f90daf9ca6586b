// Failures that people live with: a CSV file, one entry a row, every field required.
//   id       pattern over case ids in GoogleTest's grammar
//   verdict  what the case gets: FAIL, CRASH, ...
//   where    `any`, or conditions like `isa=avx2;architecture=x86_64`: isa (the path
//            that ran), cpu, features, architecture, kernel
//   reason, issue, owner, since
//   expires  year-month-day: from this day on the entry fails
// A pattern that names no seed speaks about a case whatever its data are drawn with;
// drawn otherwise, the case may pass. Every way of going stale is a failure: an entry
// past its day is EXPIRED, a listed case that passes UNEXPECTED_PASS, a pattern that no
// case has a FAIL of its own.
#ifndef QCONFORM_CONFORMANCE_VERDICT_KNOWN_FAILURES_H_
#define QCONFORM_CONFORMANCE_VERDICT_KNOWN_FAILURES_H_

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/filter.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

struct KnownFailure {
  std::string id;
  Filter pattern;  // of id
  Verdict verdict = Verdict::kFail;
  std::vector<std::pair<std::string, std::string>> where;  // empty: any
  std::string reason, issue, owner, since, expires;
  int line = 0;
};

struct KnownFailures {
  std::string file;
  std::vector<KnownFailure> entries;
};

// The first line of such a file, without its end.
inline constexpr const char* kKnownFailuresHeader =
    "id,verdict,where,reason,issue,owner,since,expires";

// Throws InputError with file and line.
KnownFailures ReadKnownFailures(const std::filesystem::path& file);

using Facts = std::map<std::string, std::string>;

// Whether the entry speaks about this record on a machine with these facts.
bool IsAbout(const KnownFailure& entry, const CaseRecord& record, const Facts& machine);

// Turns the verdict of a listed case into KNOWN, UNEXPECTED_PASS or EXPIRED; `today` is
// year-month-day.
void ApplyKnown(const KnownFailures& known, const Facts& machine,
                const std::string& today, CaseRecord& record);

// A case that fails for each entry whose pattern none of `ids` has: it belongs to the
// run like any other.
std::vector<CaseSource> StaleEntries(const KnownFailures& known,
                                     const std::vector<std::string>& ids);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_KNOWN_FAILURES_H_
