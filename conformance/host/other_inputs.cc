#include "conformance/host/other_inputs.h"

#include <cstring>

#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"

namespace qconform {
namespace {

void Reverse(CallTensor& tensor) {
  const size_t item = AbiItemSize(tensor.dtype);
  const std::vector<std::byte> from = tensor.data;
  for (size_t at = 0; at + item <= from.size(); at += item)
    std::memcpy(&tensor.data[from.size() - item - at], &from[at], item);
}

// The outputs of one run; empty when it was a problem.
DenseOutputs OutputsOf(const OperatorCall& call, AbiView& view, MadePlan& plan,
                       FormatRun& run) {
  RunMemory memory(call, view, plan.info(), Placement::kFlushToEnd, kOutputFill[1]);
  if (!plan.Run(view, memory, run, RunProblem::kRepeat, " on other inputs")) return {};
  return memory.Outputs(run);
}

}  // namespace

OperatorCall CallOfOtherInputs(const OperatorCall& call) {
  OperatorCall other = call;
  for (auto& input : other.inputs) {
    const bool holds_values =
        input && !input->constant && (input->dtype == QC_F32 || !input->scale.empty());
    if (!holds_values) continue;
    Reverse(*input);
    const CallTensor source = *input;
    ChangeEach(source, input->data.data());
  }
  return other;
}

void RunOnOtherInputs(const qc_backend& table, const CallRequest& request,
                      FormatRun& run) {
  const OperatorCall other = CallOfOtherInputs(request.call);
  AbiView view(request.call, run.format);
  AbiView other_view(other, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  DenseOutputs of_other;
  for (const bool other_first : {false, true}) {
    const Asked asked("one plan on other inputs too");
    FormatRun again;
    MadePlan plan(table, view, request.threads, again);
    for (const bool on_other : {other_first, !other_first, other_first}) {
      if (again.problem != RunProblem::kNone) break;
      const OperatorCall& call = on_other ? other : request.call;
      const DenseOutputs got = OutputsOf(call, on_other ? other_view : view, plan, again);
      if (got.empty()) break;
      if (on_other && of_other.empty()) of_other = got;
      CompareRuns(call, on_other ? of_other : run.outputs, got, RunProblem::kRepeat,
                  "a plan that has run on other inputs", again);
    }
    plan.Destroy(again);
    if (KeepProblem(again, run)) return;
  }
}

}  // namespace qconform
