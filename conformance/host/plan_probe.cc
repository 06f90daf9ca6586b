#include "conformance/host/plan_probe.h"

#include <memory>
#include <string>

#include "conformance/host/call_class.h"
#include "conformance/host/code_path.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/holdings.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/many_runs.h"
#include "conformance/host/other_inputs.h"

namespace qconform {
namespace {

constexpr size_t kLargestProbe = 64 << 10;  // bytes of inputs

// Channels of an image or sequence, else the innermost dimension.
bool HasWholeVectors(const CallTensor& output) {
  const Shape& shape = output.shape;
  const size_t rank = shape.size();
  return rank > 0 && shape[rank >= 3 ? 1 : rank - 1] % 8 == 0;
}

// Whether what the process holds grows with every plan.
void PlanManyTimes(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  const OperatorCall& call = request.call;
  AbiView view(call, run.format);
  const PlacedConstants constants(call, view, Placement::kFlushToEnd);
  std::unique_ptr<RunMemory> memory;
  uint64_t workspace_bytes = 0;
  int plans = 0;
  const auto plan_once = [&] {
    const std::string which = "plan " + std::to_string(++plans) + " of the same call";
    const Asked asked(which);
    FormatRun again;
    MadePlan plan(table, view, request.threads, again);
    if (plan.ok() && again.path != run.path) {
      SetProblem(again, RunProblem::kPath, "plan",
                 "claims the path " + again.path + " for a plan that was " + run.path +
                     " before");
    }
    if (plan.ok() && again.problem == RunProblem::kNone) {
      if (!memory || again.workspace_bytes > workspace_bytes) {
        memory = std::make_unique<RunMemory>(call, view, plan.info(),
                                             Placement::kFlushToEnd, kOutputFill[1]);
        workspace_bytes = again.workspace_bytes;
      }
      memory->RefillOutputs(kOutputFill[1]);
      if (plan.Run(view, *memory, again, RunProblem::kPlans, " to " + which)) {
        CompareRuns(call, run.outputs, memory->Outputs(again), RunProblem::kPlans,
                    which.c_str(), again);
      }
      plan.Destroy(again);
    }
    return !KeepProblem(again, run);
  };
  const std::string growth = GrowthOver("plans", plan_once);
  if (!growth.empty()) SetProblem(run, RunProblem::kLeak, "destroy", growth);
}

// The same of query, whose answers have been compared.
void AskManyTimes(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  const AbiView view(request.call, run.format);
  const Asked asked("the same question many times");
  const auto ask_once = [&] {
    LentCall lent(view);
    GuardedAnswer<qc_answer> answer;
    return Watched(run, "query", [&] {
             return table.query(table.context, &lent.descriptor(), answer.get());
           }) == QC_OK;
  };
  const std::string growth = GrowthOver("questions", ask_once);
  if (!growth.empty()) SetProblem(run, RunProblem::kLeak, "query", growth);
}

void ProbeInstructions(const qc_backend& table, const CallRequest& request,
                       FormatRun& run) {
  const Asked asked("a run that is watched step by step");
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  MadePlan plan(table, view, request.threads, run);
  if (run.problem != RunProblem::kNone) return;
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  BeginPhase("run");
  qc_status status = QC_OK;
  const InstructionTrace trace = TraceInstructions([&] {
    status = table.run(plan.get(), memory.inputs().data(), view.outputs().data(),
                       memory.workspace());
  });
  if (status != QC_OK)
    SetProblem(run, RunProblem::kRepeat, "run",
               "run answers " + StatusText(status) + " to a later plan");
  const std::string objection = TraceObjection(run.path, request.call, trace);
  if (!objection.empty()) SetProblem(run, RunProblem::kPath, "run", objection);
}

}  // namespace

bool IsSmallEnoughToProbe(const OperatorCall& call) {
  const bool empty = call.outputs.empty() || NumElements(call.outputs[0].shape) == 0;
  return !empty && InputBytes(call) <= kLargestProbe;
}

bool TakeFirstOfItsClass(const qc_backend& table, const OperatorCall& call) {
  return IsSmallEnoughToProbe(call) &&
         TakeFirst(table, call, HasWholeVectors(call.outputs[0]) ? "whole" : "rest");
}

void ProbePlans(const qc_backend& table, const CallRequest& request,
                bool first_of_its_class, FormatRun& run) {
  const OperatorCall& call = request.call;
  if (!IsSmallEnoughToProbe(call)) return;
  if (first_of_its_class) RunManyTimes(table, request, run);
  const auto is_sound = [&run] { return run.problem == RunProblem::kNone; };
  if (first_of_its_class && is_sound()) RunOnOtherInputs(table, request, run);
  if (first_of_its_class && is_sound()) PlanForOtherThreads(table, request, run);
  if (is_sound() && TakeFirst(table, call, "holdings")) {
    PlanManyTimes(table, request, run);
    if (is_sound()) AskManyTimes(table, request, run);
  }
  if (!is_sound() || !IsWorthATrace(run.path, call)) return;
  const char* expected = MustVectorize(call) ? "vectors" : "trace";
  if (TakeFirst(table, call, run.path + expected)) ProbeInstructions(table, request, run);
}

}  // namespace qconform
