#include "conformance/host/run_call.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "conformance/host/compare_runs.h"

namespace qconform {
namespace {

constexpr std::byte kConstantFill{0x3C};

using Buffers = std::vector<std::unique_ptr<GuardedBuffer>>;

template <size_t N>
std::string TextOf(const char (&text)[N]) {
  return {text, strnlen(text, N)};
}

std::string StatusText(qc_status status) {
  switch (status) {
    case QC_OK:
      return "QC_OK";
    case QC_UNSUPPORTED:
      return "QC_UNSUPPORTED";
    case QC_INVALID:
      return "QC_INVALID";
    case QC_OUT_OF_MEMORY:
      return "QC_OUT_OF_MEMORY";
    case QC_INTERNAL:
      return "QC_INTERNAL";
  }
  return "status " + std::to_string(static_cast<int>(status));
}

// One plan and its runs: each of `turns` in memory of its own.
struct Series {
  MemoryFormat format;
  Placement constants;
  std::vector<Placement> turns;
  bool threads = false;  // and then from two threads at once
};

Buffers PlaceConstants(const OperatorCall& call, AbiView& view, Placement placement) {
  Buffers constants;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i] || !call.inputs[i]->constant) continue;
    const CallTensor& source = *call.inputs[i];
    constants.push_back(std::make_unique<GuardedBuffer>(
        source.data.size(), AbiItemSize(source.dtype), placement, kConstantFill,
        "constant " + std::to_string(i)));
    if (!source.data.empty())
      std::memcpy(constants.back()->data(), source.data.data(), source.data.size());
    constants.back()->MakeReadOnly();
    view.input(i).data = constants.back()->data();
  }
  return constants;
}

void CompareTurn(const OperatorCall& call, Placement placement, const DenseOutputs& first,
                 const DenseOutputs& other, FormatRun& run) {
  if (placement == Placement::kMisaligned) {
    CompareRuns(call, first, other, RunProblem::kMisaligned,
                "a call with buffers aligned to their elements only", run);
  } else {
    CompareRuns(call, first, other, RunProblem::kRepeat, "a second call", run);
  }
}

FormatRun RunSeries(const qc_backend& table, const CallRequest& request,
                    const Series& series, const PhaseSink& phase) {
  const OperatorCall& call = request.call;
  FormatRun run;
  run.format = series.format;
  AbiView view(call, series.format);
  const Buffers constants = PlaceConstants(call, view, series.constants);
  qc_plan* plan = nullptr;
  qc_plan_info info;
  std::memset(&info, 0, sizeof info);
  info.size = sizeof info;
  phase("plan");
  const qc_status planned =
      table.plan(table.context, &view.descriptor(), view.constants().data(),
                 request.threads, &plan, &info);
  run.path = TextOf(info.path);
  run.workspace_bytes = info.workspace_bytes;
  if (planned != QC_OK) {
    SetProblem(run, RunProblem::kStatus, "plan",
               "plan answers " + StatusText(planned) + ": " + TextOf(info.reason));
    return run;
  }
  for (const auto& constant : constants) constant->TakeBack();
  for (size_t turn = 0; turn < series.turns.size() && run.problem == RunProblem::kNone;
       ++turn) {
    RunMemory memory(call, view, info, series.turns[turn],
                     kOutputFill[turn == 0 ? 0 : 1]);
    phase("run");
    const qc_status status = table.run(plan, memory.inputs().data(),
                                       view.outputs().data(), memory.workspace());
    if (status != QC_OK) {
      SetProblem(run, RunProblem::kStatus, "run", "run answers " + StatusText(status));
      break;
    }
    memory.CheckStrays(run);
    if (turn == 0) {
      run.outputs = memory.Outputs(run);
    } else {
      CompareTurn(call, series.turns[turn], run.outputs, memory.Outputs(run), run);
    }
  }
  if (series.threads && run.problem == RunProblem::kNone)
    RunInTwoThreads(table, call, plan, info, run);
  phase("destroy");
  table.destroy(plan);
  return run;
}

// Every format is run twice, one of them from two threads too, and one of them, the
// second if there is one, in misaligned memory.
std::vector<Series> SeriesOf(const std::vector<MemoryFormat>& formats, CallMode mode) {
  constexpr Placement kEnd = Placement::kFlushToEnd;
  constexpr Placement kStart = Placement::kFlushToStart;
  constexpr Placement kMisaligned = Placement::kMisaligned;
  if (mode == CallMode::kOnce) return {{formats[0], kEnd, {kEnd}}};
  std::vector<Series> all;
  for (const MemoryFormat format : formats) all.push_back({format, kEnd, {kEnd, kStart}});
  all[0].threads = true;
  if (all.size() == 1) all.push_back(all[0]);
  all[1] = {all[1].format, kMisaligned, {kEnd, kMisaligned}};
  return all;
}

}  // namespace

CallReply RunCall(const qc_backend& table, const CallRequest& request,
                  const PhaseSink& phase) {
  const OperatorCall& call = request.call;
  CallReply reply;
  int rank = 0;
  for (const auto& input : call.inputs)
    if (input && !input->constant)
      rank = std::max(rank, static_cast<int>(input->shape.size()));
  qc_answer answer;
  std::vector<MemoryFormat> asked = {MemoryFormat::kContiguous};
  if (rank >= 3) asked.push_back(MemoryFormat::kChannelsLast);
  phase("query");
  for (MemoryFormat format : asked) {
    AbiView view(call, format);
    std::memset(&answer, 0, sizeof answer);
    answer.size = sizeof answer;
    reply.query_status = table.query(table.context, &view.descriptor(), &answer);
    if (reply.query_status == QC_OK && answer.supported != 0) break;
    // The first refusal is the one that a person should read.
    if (reply.reason.empty()) reply.reason = TextOf(answer.reason);
  }
  reply.supported = reply.query_status == QC_OK && answer.supported != 0;
  if (!reply.supported) return reply;
  reply.reason.clear();
  reply.scheme = TextOf(answer.scheme);
  reply.memory_formats = answer.memory_formats;
  reply.may_alias = answer.may_alias != 0;
  const auto formats = AllowedFormats(answer.memory_formats, rank);
  for (const Series& series : SeriesOf(formats, request.mode)) {
    reply.runs.push_back(RunSeries(table, request, series, phase));
    if (reply.runs.back().problem != RunProblem::kNone) break;
  }
  return reply;
}

}  // namespace qconform
