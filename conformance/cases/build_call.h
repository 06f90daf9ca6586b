// From a row of a suite to tensors and expected codes.
#ifndef QCONFORM_CONFORMANCE_CASES_BUILD_CALL_H_
#define QCONFORM_CONFORMANCE_CASES_BUILD_CALL_H_

#include "conformance/cases/conformance_case.h"
#include "conformance/cases/suite_row.h"

namespace qconform {

// The call with all data. The output's scale is chosen from the real outputs, so that
// the codes use the range and at most a quarter of them saturates; for ties it is the
// power of two that puts accumulators halfway between codes. Of a seed that draws tame
// data a later draw is taken, the same one every time.
OperatorCall BuildCall(const SuiteRow& row);

// Call and expected codes by the scalar reference.
ConformanceCase BuildCase(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_BUILD_CALL_H_
