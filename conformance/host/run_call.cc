#include "conformance/host/run_call.h"

#include <map>
#include <memory>
#include <string>

#include "conformance/host/ask_backend.h"
#include "conformance/host/call_class.h"
#include "conformance/host/check_partition.h"
#include "conformance/host/earlier_plans.h"
#include "conformance/host/manners.h"
#include "conformance/host/other_plan.h"
#include "conformance/host/other_spelling.h"
#include "conformance/host/plan_probe.h"
#include "conformance/host/process_state.h"
#include "conformance/host/strided_runs.h"
#include "conformance/host/thread_use.h"
#include "conformance/host/unknown_values.h"

namespace qconform {
namespace {

// Times that one of two threads is stopped within a run: of the first of a class of
// small calls, which a race gets many chances to show in, and of the next ones.
constexpr int kPausesOfFirst = 24, kPausesOfNext = 2;

// What a fault of a class shows in all of its calls, the first ones show: later ones run
// beside no other plan, and one in so many from two threads.
constexpr int kFirstCalls = 16, kEvery = 4;

// How many calls of the class were judged in this process before.
int CountCall(const qc_backend& table, const OperatorCall& call) {
  static auto* const counts = new std::map<std::string, int>;
  return (*counts)[ClassOf(table, call)]++;
}

// The series of the call, with plans of the call's neighbours alive during the first.
// Stops at the first problem.
void RunAllSeries(const qc_backend& table, const CallRequest& request,
                  const qc_answer& answer, CallReply& reply) {
  std::vector<Series> all = SeriesOf(request, answer);
  const bool probed =
      request.mode == CallMode::kJudge && TakeFirstOfItsClass(table, request.call);
  std::unique_ptr<OtherPlan> other;
  std::unique_ptr<EarlierPlans> earlier;
  FormatRun before;
  const MemoryFormat format = all[0].format;
  if (request.mode == CallMode::kJudge) {
    const int before_it = CountCall(table, request.call);
    const bool is_early = before_it < kFirstCalls;
    all[0].two_threads = is_early || before_it % kEvery == 0;
    all[0].pauses = is_early ? kPausesOfNext : 0;
    all[0].beside_another_plan = is_early;
  }
  if (probed) {
    all[0].pauses = kPausesOfFirst;
    other = std::make_unique<OtherPlan>(table, request, answer, format, before);
  }
  if (request.mode == CallMode::kJudge && before.problem == RunProblem::kNone &&
      EarlierPlans::AreDue(table, request.call))
    earlier = std::make_unique<EarlierPlans>(table, request, answer, format, before);
  if (before.problem != RunProblem::kNone) {
    before.format = format;
    reply.runs.push_back(before);
    return;
  }
  for (const Series& series : all) {
    const Asked asked(&series == all.data() ? "" : MemoryFormatName(series.format));
    FormatRun& run = reply.runs.emplace_back(RunSeries(table, request, series));
    if ((other || earlier) && run.problem == RunProblem::kStatus && run.phase == "plan") {
      run.problem = RunProblem::kPlans;
      run.detail += " (to a second plan)";
    }
    if (other && run.problem == RunProblem::kNone) {
      other->RunAgain(run);
    }
    if (earlier) earlier->Destroy(run);
    earlier.reset();
    other.reset();
    if (run.problem != RunProblem::kNone) return;
  }
  if (request.mode != CallMode::kJudge) return;
  FormatRun& first = reply.runs.front();
  ProbePlans(table, request, probed, first);
  if (first.problem != RunProblem::kNone) return;
  AskUnknownValues(table, request.call, first);
  RunSpelledOtherwise(table, request, first);
  if (first.problem == RunProblem::kNone && TakeForThreads(table, request.call))
    CheckThreads(table, request, first);
  if (first.problem == RunProblem::kNone)
    RunInOtherStrides(table, request, answer, reply);
}

CallReply AskAndRun(const qc_backend& table, const CallRequest& request) {
  const OperatorCall& call = request.call;
  CallReply reply;
  FormatRun asking;
  const BackendAnswer asked = AskBackend(table, call, asking);
  reply.query_status = asked.status;
  reply.supported = asked.supported;
  if (asked.supported) {
    CheckPartition(table, call, asking);
  } else {
    reply.reason = asked.reason;
  }
  if (asking.problem != RunProblem::kNone) {
    reply.supported = true;
    reply.runs.push_back(asking);
  }
  if (!reply.supported) return reply;
  reply.reason.clear();
  reply.scheme = TextOf(asked.answer.scheme);
  if (asking.problem != RunProblem::kNone) return reply;
  reply.memory_formats = asked.answer.memory_formats;
  reply.may_alias = asked.answer.may_alias != 0;
  RunAllSeries(table, request, asked.answer, reply);
  return reply;
}

void AddProblem(RunProblem problem, const std::string& detail, CallReply& reply) {
  if (detail.empty()) return;
  reply.supported = true;
  if (reply.runs.empty()) reply.runs.emplace_back();
  SetProblem(reply.runs.back(), problem, "destroy", detail);
}

}  // namespace

CallReply RunCall(const qc_backend& table, const CallRequest& request,
                  const PhaseSink& phase) {
  static auto* const state = new ProcessState;
  state->Renew();
  ExpectFaultHandler();
  const PhaseListener listener(phase);
  CallReply reply = AskAndRun(table, request);
  AddProblem(RunProblem::kProcess, state->Restore(), reply);
  AddProblem(RunProblem::kSignal, state->RestoreSignals(), reply);
  return reply;
}

}  // namespace qconform
