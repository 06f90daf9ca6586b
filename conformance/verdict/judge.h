// From what a backend did with a case to its verdict.
#ifndef QCONFORM_CONFORMANCE_VERDICT_JUDGE_H_
#define QCONFORM_CONFORMANCE_VERDICT_JUDGE_H_

#include <string>

#include "conformance/cases/conformance_case.h"
#include "conformance/host/call_target.h"
#include "conformance/verdict/record.h"

namespace qconform {

// `row`: the config row that declares the case, "" for none.
//   PASS         the outputs equal the case's own, in every memory format
//   PASS_SCHEME  the backend declares another scheme that the reference knows, and its
//                outputs equal that one's
//   MISTRUSTED   equal, but the expected data could not have shown a fault
CaseRecord Judge(const ConformanceCase& conformance_case, const std::string& row,
                 const CallOutcome& outcome, const BackendIdentity& backend);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JUDGE_H_
