// A run as JUnit XML, for the viewers of CI systems.
#ifndef QCONFORM_CONFORMANCE_VERDICT_JUNIT_H_
#define QCONFORM_CONFORMANCE_VERDICT_JUNIT_H_

#include <string>
#include <vector>

#include "conformance/verdict/record.h"

namespace qconform {

// One testsuite a group, one testcase a case: CRASH and HANG are errors, what else
// failed is a failure, a refusal without a row and a known failure are skipped with
// their reason. JUnit has four states, so the verdict is a property, as are scheme,
// fill, path and the command that repeats the case (`repro` and the quoted id).
std::string JUnitOf(const RunHeader& header, const std::vector<CaseRecord>& records,
                    const std::string& repro);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JUNIT_H_
