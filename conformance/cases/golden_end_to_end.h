// A golden's program from end to end on a kernel backend.
#ifndef QCONFORM_CONFORMANCE_CASES_GOLDEN_END_TO_END_H_
#define QCONFORM_CONFORMANCE_CASES_GOLDEN_END_TO_END_H_

#include "conformance/verdict/case_source.h"
#include "reference/golden/golden.h"

namespace qconform {

// Every operator that the backend runs is judged on what the operators before it really
// gave: exactly under the scheme that it declares, else by its error bound. FAIL names
// the first node that leaves its allowed set. Besides, `accuracy` holds
//   sqnr_float_db         of the outputs against the float model's; the golden's own for
//   sqnr_golden_float_db  comparison
//   sqnr_golden_db        against the golden's outputs
//   top1_agreement        share of rows with the golden's first maximum, top1_agreement_
//                         float with the float model's, where the output is [rows,
//                         classes]
// each where it is a finite number.
CaseRecord RunEndToEnd(const Golden& golden, const Subject& subject);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_GOLDEN_END_TO_END_H_
