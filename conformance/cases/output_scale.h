// The output's qparams of a case.
#ifndef QCONFORM_CONFORMANCE_CASES_OUTPUT_SCALE_H_
#define QCONFORM_CONFORMANCE_CASES_OUTPUT_SCALE_H_

#include "conformance/cases/suite_row.h"
#include "conformance/host/operator_call.h"

namespace qconform {

// The row's own scale if it has one. An operator that only moves or compares codes keeps
// its input's. Otherwise one that is chosen from the real outputs, so that the codes use
// the range and at most a quarter of them saturates; for ties the power of two that puts
// values halfway between codes.
void SetOutputQparams(const SuiteRow& row, OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_OUTPUT_SCALE_H_
