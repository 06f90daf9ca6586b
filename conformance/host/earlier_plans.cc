#include "conformance/host/earlier_plans.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "conformance/host/call_class.h"
#include "conformance/host/changed_calls.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/other_plan.h"
#include "conformance/host/plan_probe.h"

namespace qconform {
namespace {

// Of a class: those whose outputs tell, and all.
constexpr int kTellingCalls = 4, kCalls = 12;
// Distinct bytes of outputs that tell.
constexpr size_t kValues = 8;

struct Seen {
  int calls = 0, telling = 0;
};
Seen& SeenOf(const std::string& name) {
  static auto* const seen = new std::map<std::string, Seen>;
  return (*seen)[name];
}

// Every call starts with another change, and every second one goes backwards: what is
// kept of the call that comes first hides what a later one would spoil.
std::vector<ChangedCall> ChangedInTurn(const OperatorCall& call, int turn) {
  std::vector<ChangedCall> changed = CallsOfOneChange(call);
  if (turn % 2 != 0) std::reverse(changed.begin(), changed.end());
  const size_t start = changed.size() * static_cast<size_t>(turn % 8 / 2) / 4;
  std::rotate(changed.begin(), changed.begin() + static_cast<std::ptrdiff_t>(start),
              changed.end());
  return changed;
}

}  // namespace

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

bool EarlierPlans::AreDue(const qc_backend& table, const OperatorCall& call) {
  if (!IsSmallEnoughToProbe(call)) return false;
  const Seen& seen = SeenOf(ClassOf(table, call));
  return seen.calls < kCalls && seen.telling < kTellingCalls;
}

EarlierPlans::EarlierPlans(const qc_backend& table, const CallRequest& request,
                           const qc_answer& answer, MemoryFormat format, FormatRun& run)
    : class_(ClassOf(table, request.call)) {
  for (ChangedCall& changed : ChangedInTurn(request.call, SeenOf(class_).calls++)) {
    const Asked asked("the call with " + changed.what);
    if (!AnswersAlike(table, changed.call, answer, format)) continue;
    const std::string of = " (of the call with " + changed.what + ")";
    FormatRun own;
    Earlier& earlier =
        *plans_.emplace_back(std::make_unique<Earlier>(std::move(changed.call), format));
    earlier.plan.emplace(table, earlier.view, request.threads, own);
    earlier.constants.TakeBack();
    if (own.problem == RunProblem::kNone) {
      RunMemory memory(earlier.call, earlier.view, earlier.plan->info(),
                       Placement::kFlushToEnd, kOutputFill[0]);
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
  if (run.outputs.empty()) return;
  const std::set<std::byte> values(run.outputs[0].begin(), run.outputs[0].end());
  if (values.size() >= kValues) ++SeenOf(class_).telling;
}

}  // namespace qconform
