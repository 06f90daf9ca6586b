#include "conformance/host/run_call.h"

#include <algorithm>
#include <cstring>

#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/plan_probe.h"

namespace qconform {
namespace {

// One plan and its runs: each of `turns` in memory of its own.
struct Series {
  MemoryFormat format;
  Placement constants;
  std::vector<Placement> turns;
  bool threads = false;      // and then from two threads at once, and beside another plan
  int32_t more_threads = 0;  // handed to plan, beyond the request's
};

void CompareTurn(const OperatorCall& call, Placement placement, const DenseOutputs& first,
                 const DenseOutputs& other, FormatRun& run) {
  if (placement == Placement::kMisaligned) {
    CompareRuns(call, first, other, RunProblem::kMisaligned,
                "a call with buffers aligned to their elements only", run);
  } else {
    CompareRuns(call, first, other, RunProblem::kRepeat, "a second call", run);
  }
}

// A second plan, of other weights, is alive while the first one runs.
void RunBesideAnotherPlan(const qc_backend& table, const CallRequest& request,
                          AbiView& view, const MadePlan& plan, FormatRun& run) {
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd, true);
  FormatRun other;
  other.format = run.format;
  MadePlan another(table, view, request.threads, other);
  if (!another.ok()) return;
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  table.run(plan.get(), memory.inputs().data(), view.outputs().data(),
            memory.workspace());
  CompareRuns(request.call, run.outputs, memory.Outputs(run), RunProblem::kPlans,
              "a call beside another plan", run);
}

FormatRun RunSeries(const qc_backend& table, const CallRequest& request,
                    const Series& series, const PhaseSink& phase) {
  const OperatorCall& call = request.call;
  FormatRun run;
  run.format = series.format;
  AbiView view(call, series.format);
  PlacedConstants constants(call, view, series.constants);
  phase("plan");
  MadePlan plan(table, view, request.threads + series.more_threads, run);
  if (run.problem != RunProblem::kNone) return run;
  constants.TakeBack();
  for (size_t turn = 0; turn < series.turns.size() && run.problem == RunProblem::kNone;
       ++turn) {
    RunMemory memory(call, view, plan.info(), series.turns[turn],
                     kOutputFill[turn == 0 ? 0 : 1]);
    phase("run");
    const AbiView::Tensors described = view.tensors();
    const qc_status status = Watched(run, "run", [&] {
      return table.run(plan.get(), memory.inputs().data(), view.outputs().data(),
                       memory.workspace());
    });
    if (status != QC_OK) {
      SetProblem(run, RunProblem::kStatus, "run", "run answers " + StatusText(status));
      break;
    }
    memory.CheckStrays(run);
    if (const std::string changed = view.Restore(described); !changed.empty())
      SetProblem(run, RunProblem::kBounds, "run",
                 "changes the description of " + changed);
    if (turn == 0) {
      run.outputs = memory.Outputs(run);
    } else {
      CompareTurn(call, series.turns[turn], run.outputs, memory.Outputs(run), run);
    }
  }
  if (series.threads && run.problem == RunProblem::kNone)
    RunInTwoThreads(table, call, plan.get(), plan.info(), run);
  if (series.threads && run.problem == RunProblem::kNone)
    RunBesideAnotherPlan(table, request, view, plan, run);
  phase("destroy");
  plan.Destroy(run);
  return run;
}

// Every format is run twice, one of them from two threads too, and one of them, the
// second if there is one, in misaligned memory and planned for one thread more.
std::vector<Series> SeriesOf(const std::vector<MemoryFormat>& formats, CallMode mode) {
  constexpr Placement kEnd = Placement::kFlushToEnd;
  constexpr Placement kStart = Placement::kFlushToStart;
  constexpr Placement kMisaligned = Placement::kMisaligned;
  if (mode == CallMode::kOnce) return {{formats[0], kEnd, {kEnd}}};
  std::vector<Series> all;
  for (const MemoryFormat format : formats) all.push_back({format, kEnd, {kEnd, kStart}});
  all[0].threads = true;
  if (all.size() == 1) all.push_back(all[0]);
  all[1] = {all[1].format, kMisaligned, {kEnd, kMisaligned}, false, 1};
  return all;
}

// How the answers to one question differ; "" if they do not.
std::string AnswerDifference(const qc_answer& first, const qc_answer& second) {
  if (first.supported != second.supported)
    return second.supported != 0 ? "no, then yes" : "yes, then no";
  if (first.memory_formats != second.memory_formats) return "other memory formats";
  if (first.may_alias != second.may_alias) return "another word on aliasing";
  return TextOf(first.scheme) == TextOf(second.scheme) ? "" : "another scheme";
}

// Asked twice. Without a status the answer is not to be read.
qc_status Ask(const qc_backend& table, const OperatorCall& call, MemoryFormat format,
              qc_answer& answer, FormatRun& problems) {
  qc_status status = QC_OK;
  for (int time = 0; time < 2; ++time) {
    AbiView view(call, format);
    GuardedAnswer<qc_answer> written;
    status = Watched(problems, "query", [&] {
      return table.query(table.context, &view.descriptor(), written.get());
    });
    if (written.IsOverrun())
      SetProblem(problems, RunProblem::kBounds, "query",
                 "writes past the end of qc_answer");
    if (time == 0) answer = *written.get();
    const std::string difference = AnswerDifference(answer, *written.get());
    if (!difference.empty())
      SetProblem(problems, RunProblem::kAnswer, "query",
                 "query answers the same question otherwise: " + difference);
    if (status != QC_OK) break;
  }
  return status;
}

// Of a program of this operator alone.
void CheckPartition(const qc_backend& table, const OperatorCall& call,
                    FormatRun& problems) {
  if (table.size < sizeof(qc_backend) || table.partition == nullptr) return;
  AbiView view(call, MemoryFormat::kContiguous);
  std::vector<int32_t> inputs, outputs;
  int32_t value = 0;
  for (const auto& input : call.inputs) inputs.push_back(input ? value++ : -1);
  for (size_t i = 0; i < call.outputs.size(); ++i) outputs.push_back(value++);
  const qc_program_operator op = {sizeof op, 0, &view.descriptor(), inputs.data(),
                                  outputs.data()};
  const qc_program_operator* const operators[] = {&op};
  const qc_program program = {sizeof program, 1, operators};
  std::vector<int32_t> claimed;
  const qc_claim claim = [](void* sink, const int32_t* group, int32_t count) {
    auto& all = *static_cast<std::vector<int32_t>*>(sink);
    all.insert(all.end(), group, group + std::max(count, 0));
  };
  const qc_status status = Watched(problems, "partition", [&] {
    return table.partition(table.context, &program, claim, &claimed);
  });
  if (status != QC_OK) {
    SetProblem(problems, RunProblem::kStatus, "partition",
               "partition answers " + StatusText(status));
  } else if (claimed.empty()) {
    SetProblem(problems, RunProblem::kFallback, "partition",
               "query accepts the operator, partition does not claim it");
  } else if (claimed != std::vector<int32_t>{0}) {
    SetProblem(problems, RunProblem::kStatus, "partition",
               "partition claims other operators than the program's only one, once");
  }
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
  FormatRun asking;
  std::vector<MemoryFormat> asked = {MemoryFormat::kContiguous};
  if (rank >= 3) asked.push_back(MemoryFormat::kChannelsLast);
  phase("query");
  for (MemoryFormat format : asked) {
    reply.query_status = Ask(table, call, format, answer, asking);
    if (reply.query_status == QC_OK && answer.supported != 0) break;
    // The first refusal is the one that a person should read.
    if (reply.reason.empty()) reply.reason = TextOf(answer.reason);
  }
  reply.supported = reply.query_status == QC_OK && answer.supported != 0;
  if (reply.supported) {
    phase("partition");
    CheckPartition(table, call, asking);
  }
  if (asking.problem != RunProblem::kNone) {
    reply.supported = true;
    reply.runs.push_back(asking);
  }
  if (!reply.supported) return reply;
  reply.reason.clear();
  reply.scheme = TextOf(answer.scheme);
  if (asking.problem != RunProblem::kNone) return reply;
  reply.memory_formats = answer.memory_formats;
  reply.may_alias = answer.may_alias != 0;
  const auto formats = AllowedFormats(answer.memory_formats, rank);
  for (const Series& series : SeriesOf(formats, request.mode)) {
    reply.runs.push_back(RunSeries(table, request, series, phase));
    if (reply.runs.back().problem != RunProblem::kNone) return reply;
  }
  if (request.mode == CallMode::kJudge) {
    phase("run");
    ProbePlans(table, request, reply.runs.front());
  }
  return reply;
}

}  // namespace qconform
