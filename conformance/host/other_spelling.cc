#include "conformance/host/other_spelling.h"

#include <string>

#include "conformance/host/ask_backend.h"
#include "conformance/host/call_class.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/plan_probe.h"

namespace qconform {
namespace {

struct Named {
  Spelling spelling;
  const char* name;
};

constexpr Named kSpellings[] = {
    {Spelling::kLongerStructs, "structs of a later minor version"},
    {Spelling::kFewerInputs, "an input_count that leaves out absent inputs at the end"},
    {Spelling::kNoZeroPoints, "NULL for zero points that are all zero"},
    {Spelling::kWholeRange, "quant_min and quant_max of the whole dtype, not (0, 0)"},
    {Spelling::kOnesLeftUnsaid, "0 for strides, dilations, kernel and groups unsaid"},
};

qc_answer Ask(const qc_backend& table, const AbiView& view, FormatRun& run) {
  LentCall lent(view);
  GuardedAnswer<qc_answer> answer;
  const qc_status status = Watched(run, "query", [&] {
    return table.query(table.context, &lent.descriptor(), answer.get());
  });
  lent.TakeBack("query");
  if (status != QC_OK)
    SetProblem(run, RunProblem::kSpelling, "query",
               "query answers " + StatusText(status));
  return *answer.get();
}

void RunOnce(const qc_backend& table, const CallRequest& request, const Named& named,
             FormatRun& run) {
  const std::string to = std::string(" to ") + named.name;
  FormatRun again;
  AbiView plain(request.call, run.format);
  AbiView view(request.call, run.format, named.spelling);
  const qc_answer plain_answer = Ask(table, plain, again);
  const Asked asked(named.name);
  const std::string difference = AnswerDifference(plain_answer, Ask(table, view, again));
  if (!difference.empty())
    SetProblem(again, RunProblem::kSpelling, "query",
               "query answers otherwise" + to + ": " + difference);
  if (KeepProblem(again, run)) return;
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  MadePlan plan(table, view, request.threads, again);
  if (!plan.ok()) {
    SetProblem(run, RunProblem::kSpelling, "plan",
               again.detail + " (" + named.name + ")");
    return;
  }
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  if (plan.Run(view, memory, again, RunProblem::kSpelling, to)) {
    CompareRuns(request.call, run.outputs, memory.Outputs(again), RunProblem::kSpelling,
                named.name, again);
  }
  plan.Destroy(again);
  KeepProblem(again, run);
}

}  // namespace

void RunSpelledOtherwise(const qc_backend& table, const CallRequest& request,
                         FormatRun& run) {
  if (!IsSmallEnoughToProbe(request.call)) return;
  for (const Named& named : kSpellings) {
    if (run.problem != RunProblem::kNone) return;
    if (HasSpelling(request.call, named.spelling) &&
        TakeFirst(table, request.call, named.name))
      RunOnce(table, request, named, run);
  }
}

}  // namespace qconform
