#include "conformance/host/other_plan.h"

#include <cmath>

#include "conformance/host/code_element.h"
#include "conformance/host/compare_runs.h"

namespace qconform {
namespace {

// The call with other qparams if query says of them what it says of the call's own.
OperatorCall CallOfOtherScale(const qc_backend& table, const OperatorCall& call,
                              const qc_answer& answer, MemoryFormat format) {
  OperatorCall other = call;
  bool differs = false;
  for (CallTensor& output : other.outputs) {
    if (!IsQuantizedCode(output)) continue;
    for (float& scale : output.scale) {
      if (!std::isfinite(2 * scale)) return call;
      scale *= 2;
      differs = true;
    }
  }
  if (!differs) return call;
  return AnswersAlike(table, other, answer, format) ? other : call;
}

}  // namespace

bool AnswersAlike(const qc_backend& table, const OperatorCall& other,
                  const qc_answer& answer, MemoryFormat format) {
  const AbiView view(other, format);
  LentCall lent(view);
  GuardedAnswer<qc_answer> other_answer;
  BeginPhase("query");
  const qc_status status =
      table.query(table.context, &lent.descriptor(), other_answer.get());
  lent.TakeBack("query");
  return status == QC_OK && other_answer->supported != 0 &&
         other_answer->memory_formats == answer.memory_formats;
}

void RunBesideAnotherPlan(const qc_backend& table, const CallRequest& request,
                          AbiView& view, MadePlan& plan, FormatRun& run) {
  const Asked asked("another plan beside it");
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd, true);
  FormatRun other;
  other.format = run.format;
  MadePlan another(table, view, request.threads, other);
  if (!another.ok()) {
    SetProblem(run, RunProblem::kPlans, "plan", other.detail + " (to a second plan)");
    return;
  }
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  if (plan.Run(view, memory, run, RunProblem::kPlans, " beside another plan")) {
    CompareRuns(request.call, run.outputs, memory.Outputs(run), RunProblem::kPlans,
                "a call beside another plan", run);
  }
  another.Destroy(other);
  KeepProblem(other, run);
}

OtherPlan::OtherPlan(const qc_backend& table, const CallRequest& request,
                     const qc_answer& answer, MemoryFormat format, FormatRun& run)
    : call_(CallOfOtherScale(table, request.call, answer, format)),
      view_(call_, format),
      constants_(call_, view_, Placement::kFlushToEnd, true) {
  run.format = format;
  const Asked asked("a plan of other constants and scales");
  plan_.emplace(table, view_, request.threads, run);
  if (run.problem != RunProblem::kNone) return;
  constants_.TakeBack();
  RunMemory memory(call_, view_, plan_->info(), Placement::kFlushToEnd, kOutputFill[0]);
  if (plan_->Run(view_, memory, run)) outputs_ = memory.Outputs(run);
}

void OtherPlan::RunAgain(FormatRun& run) {
  const Asked asked("a plan of other constants and scales, again");
  RunMemory memory(call_, view_, plan_->info(), Placement::kFlushToStart, kOutputFill[1]);
  if (plan_->Run(view_, memory, run, RunProblem::kPlans, " beside a later plan")) {
    CompareRuns(call_, outputs_, memory.Outputs(run), RunProblem::kPlans,
                "a call of an earlier plan, beside this one,", run);
  }
  plan_->Destroy(run);
}

}  // namespace qconform
