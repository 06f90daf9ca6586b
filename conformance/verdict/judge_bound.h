// The verdict on outputs whose scheme nobody declared: every element must lie in the set
// that the forward error bound of float32 arithmetic allows.
#ifndef QCONFORM_CONFORMANCE_VERDICT_JUDGE_BOUND_H_
#define QCONFORM_CONFORMANCE_VERDICT_JUDGE_BOUND_H_

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/call_reply.h"
#include "conformance/verdict/record.h"

namespace qconform {

// Fills in bound, differing elements and, of a failure, verdict, cause and details: the
// first element outside with its exact value, its distance to the tie and its set.
//
// A set that holds every code says nothing. Then the outputs are judged by accuracy
// alone: their mean square distance from the reference's codes must not exceed 1/12
// code^2, the noise of the output's own rounding (that of a uniform error of half a
// code); noise_codes is its root.
void JudgeWithinBound(const OperatorCall& call, const std::vector<Bytes>& want,
                      const FormatRun& run, CaseRecord& record);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JUDGE_BOUND_H_
