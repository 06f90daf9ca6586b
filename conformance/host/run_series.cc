#include "conformance/host/run_series.h"

#include "conformance/host/ask_backend.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/many_runs.h"
#include "conformance/host/other_plan.h"
#include "conformance/host/plan_probe.h"
#include "conformance/host/run_in_place.h"
#include "conformance/host/strided_runs.h"

namespace qconform {
namespace {

void CompareTurn(const OperatorCall& call, Placement placement, const DenseOutputs& first,
                 const DenseOutputs& other, FormatRun& run) {
  if (placement == Placement::kMisaligned) {
    CompareRuns(call, first, other, RunProblem::kMisaligned,
                "a call with buffers aligned to their elements only", run);
  } else {
    CompareRuns(call, first, other, RunProblem::kRepeat, "a second call", run);
  }
}

int32_t MoreThreads(const CallRequest& request) {
  const OperatorCall& call = request.call;
  const int64_t sixteens =
      call.outputs.empty() ? 0 : NumElements(call.outputs[0].shape) / 16;
  if (sixteens % 2 == 0 || IsSmallEnoughToProbe(call)) return request.threads + 1;
  return request.threads - 1 +
         kManyThreads[static_cast<size_t>(sixteens / 2) % kManyThreads.size()];
}

}  // namespace

FormatRun RunSeries(const qc_backend& table, const CallRequest& request,
                    const Series& series) {
  const OperatorCall& call = request.call;
  FormatRun run;
  run.format = series.format;
  AbiView view(call, series.format);
  PlacedConstants constants(call, view, series.constants);
  MadePlan plan(table, view, series.threads, run);
  if (run.problem != RunProblem::kNone) return run;
  constants.TakeBack();
  for (size_t turn = 0; turn < series.turns.size() && run.problem == RunProblem::kNone;
       ++turn) {
    RunMemory memory(call, view, plan.info(), series.turns[turn],
                     kOutputFill[turn == 0 ? 0 : 1]);
    if (!plan.Run(view, memory, run)) break;
    if (turn == 0) {
      run.outputs = memory.Outputs(run);
    } else {
      CompareTurn(call, series.turns[turn], run.outputs, memory.Outputs(run), run);
    }
  }
  const auto is_sound = [&run] { return run.problem == RunProblem::kNone; };
  if (series.two_threads && is_sound())
    RunInTwoThreads(table, call, plan.get(), plan.info(), series.pauses, run);
  if (series.beside_another_plan && is_sound())
    RunBesideAnotherPlan(table, request, view, plan, run);
  if (series.may_alias && is_sound()) RunInPlace(call, view, plan, run);
  plan.Destroy(run);
  return run;
}

std::vector<Series> SeriesOf(const CallRequest& request, const qc_answer& answer) {
  constexpr Placement kEnd = Placement::kFlushToEnd;
  constexpr Placement kStart = Placement::kFlushToStart;
  constexpr Placement kMisaligned = Placement::kMisaligned;
  const std::vector<MemoryFormat> formats = AllowedFormats(
      answer.memory_formats, ActivationRank(request.call), StridedFormatOf(request.call));
  const int32_t threads = request.threads;
  if (request.mode == CallMode::kOnce) return {{formats[0], kEnd, {kEnd}, threads}};
  std::vector<Series> all;
  for (const MemoryFormat format : formats)
    all.push_back({format, kEnd, {kEnd, kStart}, threads});
  if (all.size() == 1) all.push_back(all[0]);
  all[0].may_alias = answer.may_alias != 0;
  all[1].constants = kMisaligned;
  all[1].turns = {kEnd, kMisaligned};
  all[1].threads = MoreThreads(request);
  return all;
}

}  // namespace qconform
