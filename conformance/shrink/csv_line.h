// A case as a row of a suite.
#ifndef QCONFORM_CONFORMANCE_SHRINK_CSV_LINE_H_
#define QCONFORM_CONFORMANCE_SHRINK_CSV_LINE_H_

#include <string>

#include "conformance/cases/suite_row.h"

namespace qconform {

// The line of column names with all of them, and a row below it; both with their end.
std::string SuiteCsvHeader();
std::string SuiteCsvLine(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SHRINK_CSV_LINE_H_
