// What several runs of one call must have in common: their bits.
#ifndef QCONFORM_CONFORMANCE_HOST_COMPARE_RUNS_H_
#define QCONFORM_CONFORMANCE_HOST_COMPARE_RUNS_H_

#include "conformance/host/run_memory.h"

namespace qconform {

// What outputs hold before the first and before every other run: never the same byte.
inline constexpr std::byte kOutputFill[2] = {std::byte{0xA5}, std::byte{0x5A}};

// If the bits differ, `problem` becomes that of the run, told as "`what` gives other
// bits in ..."; elements that both runs left as they were are kUnwritten. `first` began
// with kOutputFill[0], `other` with kOutputFill[1].
void CompareRuns(const OperatorCall& call, const DenseOutputs& first,
                 const DenseOutputs& other, RunProblem problem, const char* what,
                 FormatRun& run);

// The ABI lets several threads run one plan at once, each with a workspace of its own:
// does so with two, one of which is stopped within a run `pauses` times, and compares
// with the outputs of `run`.
void RunInTwoThreads(const qc_backend& table, const OperatorCall& call, qc_plan* plan,
                     const qc_plan_info& info, int pauses, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_COMPARE_RUNS_H_
