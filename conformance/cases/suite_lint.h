// What is wrong with a suite although each of its rows is right.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_LINT_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_LINT_H_

#include <string>
#include <vector>

#include "conformance/cases/suite_row.h"

namespace qconform {

// One line, or "": its convolutions with padding all have the zero point 0, where a
// border of code 0 looks right.
std::string SuiteFinding(const std::vector<SuiteRow>& rows);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_LINT_H_
