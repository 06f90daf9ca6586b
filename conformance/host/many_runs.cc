#include "conformance/host/many_runs.h"

#include <string>
#include <vector>

#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"

namespace qconform {
namespace {

constexpr int kRuns = 17;

}  // namespace

void RunManyTimes(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  MadePlan plan(table, view, request.threads, run);
  if (run.problem != RunProblem::kNone) return;
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  for (int turn = 1; turn <= kRuns && run.problem == RunProblem::kNone; ++turn) {
    const std::string which = "run " + std::to_string(turn) + " of one plan";
    const Asked asked(which);
    memory.RefillOutputs(kOutputFill[1]);
    if (!plan.Run(view, memory, run, RunProblem::kRepeat, " in " + which)) return;
    CompareRuns(request.call, run.outputs, memory.Outputs(run), RunProblem::kRepeat,
                which.c_str(), run);
  }
  plan.Destroy(run);
}

void PlanForOtherThreads(const qc_backend& table, const CallRequest& request,
                         FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  std::vector<int32_t> numbers = {1, 2};
  numbers.insert(numbers.end(), kManyThreads.begin(), kManyThreads.end());
  for (const int32_t threads : numbers) {
    if (threads == request.threads) continue;
    const std::string which =
        "a plan for " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    const Asked asked(which);
    FormatRun again;
    MadePlan plan(table, view, threads, again);
    if (!plan.ok()) {
      SetProblem(run, RunProblem::kThreadCount, "plan",
                 again.detail + " (" + which + ")");
      return;
    }
    RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                     kOutputFill[1]);
    if (plan.Run(view, memory, again, RunProblem::kThreadCount, " to " + which)) {
      CompareRuns(request.call, run.outputs, memory.Outputs(again),
                  RunProblem::kThreadCount, which.c_str(), again);
    }
    plan.Destroy(again);
    if (KeepProblem(again, run)) return;
  }
}

}  // namespace qconform
