#include "conformance/host/earlier_plans.h"

#include <optional>
#include <string>
#include <utility>

#include "conformance/host/changed_calls.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/other_plan.h"

namespace qconform {

struct EarlierPlans::Earlier {
  Earlier(OperatorCall changed, MemoryFormat format)
      : call(std::move(changed)),
        view(call, format),
        constants(call, view, Placement::kFlushToEnd) {}

  const OperatorCall call;
  AbiView view;
  PlacedConstants constants;
  std::optional<MadePlan> plan;
};

EarlierPlans::EarlierPlans(const qc_backend& table, const CallRequest& request,
                           const qc_answer& answer, MemoryFormat format,
                           const PhaseSink& phase, FormatRun& run) {
  for (ChangedCall& changed : CallsOfOneChange(request.call)) {
    phase("query");
    if (!AnswersAlike(table, changed.call, answer, format)) continue;
    const std::string of = " (of the call with " + changed.what + ")";
    FormatRun own;
    Earlier& earlier =
        *plans_.emplace_back(std::make_unique<Earlier>(std::move(changed.call), format));
    phase("plan");
    earlier.plan.emplace(table, earlier.view, request.threads, own);
    earlier.constants.TakeBack();
    if (own.problem == RunProblem::kNone) {
      RunMemory memory(earlier.call, earlier.view, earlier.plan->info(),
                       Placement::kFlushToEnd, kOutputFill[0]);
      phase("run");
      earlier.plan->Run(earlier.view, memory, own);
    }
    if (own.problem == RunProblem::kStatus) own.problem = RunProblem::kPlans;
    own.detail += of;
    if (KeepProblem(own, run)) return;
  }
}

EarlierPlans::~EarlierPlans() = default;

void EarlierPlans::Destroy(FormatRun& run) {
  for (const auto& earlier : plans_) earlier->plan->Destroy(run);
  plans_.clear();
}

}  // namespace qconform
