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
//   PASS         without a scheme that the reference knows: every element lies in the set
//                that its error bound allows (judge_bound.h)
//   MISTRUSTED   equal, but the expected data could not have shown a fault
CaseRecord Judge(const ConformanceCase& conformance_case, const std::string& row,
                 const CallOutcome& outcome, const BackendIdentity& backend);

// The parts of it that look at no number. Fills in case, backend and time; true where the
// call ended before it could answer, or was refused: then the verdict is final.
bool JudgeBeforeOutputs(const ConformanceCase& conformance_case, const std::string& row,
                        const CallOutcome& outcome, const BackendIdentity& backend,
                        CaseRecord& record);
// Memory format, path and bits of one run; true where it had a problem of its own: then
// the verdict is final.
bool JudgeRun(const FormatRun& run, CaseRecord& record);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JUDGE_H_
