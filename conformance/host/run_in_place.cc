#include "conformance/host/run_in_place.h"

#include "conformance/host/compare_runs.h"

namespace qconform {
namespace {

size_t ExtentIn(const qc_tensor& tensor, const CallTensor& source) {
  return ExtentOf(source.shape, {tensor.stride, tensor.stride + tensor.rank},
                  AbiItemSize(source.dtype));
}

bool TakeTheSameBytes(const OperatorCall& call, AbiView& view) {
  if (call.inputs.empty() || call.outputs.empty() || !call.inputs[0] ||
      call.inputs[0]->constant)
    return false;
  const CallTensor& x = *call.inputs[0];
  const CallTensor& y = call.outputs[0];
  const size_t extent = ExtentIn(view.input(0), x);
  if (extent == 0 || extent != ExtentIn(view.output(0), y)) return false;
  const bool dense = extent == x.byte_size() && extent == y.byte_size();
  return dense || x.shape == y.shape;
}

}  // namespace

void RunInPlace(const OperatorCall& call, AbiView& view, MadePlan& plan, FormatRun& run) {
  if (!TakeTheSameBytes(call, view)) return;
  const Asked asked("a run in place");
  RunMemory memory(call, view, plan.info(), Placement::kFlushToEnd, kOutputFill[1], true);
  if (!plan.Run(view, memory, run, RunProblem::kInPlace, " in place")) return;
  CompareRuns(call, run.outputs, memory.Outputs(run), RunProblem::kInPlace,
              "a call in place", run);
}

}  // namespace qconform
