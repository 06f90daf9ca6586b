#include "conformance/host/earlier_plans.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "conformance/host/changed_calls.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/other_plan.h"
#include "conformance/host/plan_probe.h"

namespace qconform {
namespace {

// Of a class, if no outputs tell.
constexpr int kCalls = 8;
// Distinct bytes of outputs that tell.
constexpr size_t kValues = 8;

std::string ClassOf(const qc_backend& table, const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  std::string text = std::to_string(reinterpret_cast<uintptr_t>(table.run)) + " " +
                     OperatorName(call.kind, a);
  const auto add = [&text](const CallTensor& tensor) {
    text += " " + AbiDTypeName(tensor.dtype);
    if (tensor.axis >= 0) text += "/channel";
    if (tensor.quant_min != tensor.quant_max) text += "/range";
  };
  constexpr size_t kInputs = 2;  // and the rest has the dtypes that these ask for
  for (size_t i = 0; i < std::min(call.inputs.size(), kInputs); ++i)
    if (call.inputs[i]) add(*call.inputs[i]);
  for (const CallTensor& output : call.outputs) add(output);
  if (a.activation != QC_ACTIVATION_NONE) text += " activation";
  if (a.padding_before[0] != 0) text += " padding";
  return text;
}

// Calls seen of each class; kCalls: no more are wanted.
int& SeenOf(const std::string& name) {
  static auto* const seen = new std::map<std::string, int>;
  return (*seen)[name];
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
  int& seen = SeenOf(ClassOf(table, call));
  if (seen >= kCalls) return false;
  ++seen;
  return true;
}

EarlierPlans::EarlierPlans(const qc_backend& table, const CallRequest& request,
                           const qc_answer& answer, MemoryFormat format,
                           const PhaseSink& phase, FormatRun& run)
    : class_(ClassOf(table, request.call)) {
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
  if (run.outputs.empty()) return;
  const std::set<std::byte> values(run.outputs[0].begin(), run.outputs[0].end());
  if (values.size() >= kValues) SeenOf(class_) = kCalls;
}

}  // namespace qconform
