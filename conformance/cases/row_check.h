// What must hold of a row before its tensors can be described.
#ifndef QCONFORM_CONFORMANCE_CASES_ROW_CHECK_H_
#define QCONFORM_CONFORMANCE_CASES_ROW_CHECK_H_

#include <string>

#include "conformance/cases/suite_row.h"

namespace qconform {

// Lists of the right length, axes inside the rank, the numbers that the operator cannot
// do without, and a fill that fits. Throws InputError with `where`.
void CheckRow(const SuiteRow& row, qc_operator_kind kind, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_ROW_CHECK_H_
