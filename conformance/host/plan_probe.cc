#include "conformance/host/plan_probe.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "conformance/host/code_path.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"
#include "conformance/host/many_runs.h"
#include "conformance/host/other_inputs.h"

namespace qconform {
namespace {

constexpr size_t kLargestProbe = 64 << 10;  // bytes of inputs
// glibc keeps up to seven freed blocks of a size at hand and counts them as in use: a
// leak shows in steps, and what is none may grow until such caches are full. None grows
// in each of so many steps.
constexpr int kStep = 8;
constexpr int kTurns = 8 * kStep;
// Memory that the C library keeps for later counts as in use, until its caches are full.
constexpr int kTurnsOfMemory = 64 * kStep;
// As often it is planned though nothing grows.
constexpr int kFewestTurns = 2 * kStep;

// Once in this process for each backend, kind and whatever else there is to tell apart.
bool IsFirst(const qc_backend& table, const OperatorCall& call, const std::string& what) {
  static auto* const seen = new std::set<std::tuple<const void*, int, std::string>>;
  return seen->emplace(reinterpret_cast<const void*>(table.run), call.kind, what).second;
}

// Channels of an image or sequence, else the innermost dimension.
bool HasWholeVectors(const CallTensor& output) {
  const Shape& shape = output.shape;
  const size_t rank = shape.size();
  return rank > 0 && shape[rank >= 3 ? 1 : rank - 1] % 8 == 0;
}

// Turns of planning, running and destroying; looks at what the process holds after every
// kStep of them.
class Holdings {
 public:
  // Whether it cannot be a leak any more.
  bool Look(int turn) {
    const ProcessHoldings now = HoldingsNow();
    if (turn == 0) {
      first_ = now;
    } else {
      bytes_grow_ &= now.heap_bytes > before_.heap_bytes;
      threads_grow_ &= now.threads > before_.threads;
    }
    before_ = now;
    return !bytes_grow_ && !threads_grow_;
  }
  bool threads_grow() const { return threads_grow_; }
  // In words, when Look has never said so.
  std::string Text(int turns) const {
    const std::string after = " more after " + std::to_string(turns) + " plans";
    if (threads_grow_)
      return "keeps threads: " + std::to_string(before_.threads - first_.threads) + after;
    return "keeps memory: " + std::to_string(before_.heap_bytes - first_.heap_bytes) +
           " bytes" + after;
  }

 private:
  ProcessHoldings first_, before_;
  bool bytes_grow_ = true;
  bool threads_grow_ = true;
};

void PlanManyTimes(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  const OperatorCall& call = request.call;
  AbiView view(call, run.format);
  const PlacedConstants constants(call, view, Placement::kFlushToEnd);
  std::unique_ptr<RunMemory> memory;
  uint64_t workspace_bytes = 0;
  Holdings holdings;
  int turn = 0;
  for (; turn <= kTurnsOfMemory; ++turn) {
    FormatRun again;
    MadePlan plan(table, view, request.threads, again);
    if (plan.ok() && again.path != run.path) {
      SetProblem(again, RunProblem::kPath, "plan",
                 "claims the path " + again.path + " for a plan that was " + run.path +
                     " before");
    }
    if (plan.ok() && again.problem == RunProblem::kNone) {
      if (!memory || again.workspace_bytes > workspace_bytes) {
        memory = std::make_unique<RunMemory>(call, view, plan.info(),
                                             Placement::kFlushToEnd, kOutputFill[1]);
        workspace_bytes = again.workspace_bytes;
      }
      memory->RefillOutputs(kOutputFill[1]);
      const std::string which = "plan " + std::to_string(turn + 1) + " of the same call";
      if (plan.Run(view, *memory, again, RunProblem::kPlans, " to " + which)) {
        CompareRuns(call, run.outputs, memory->Outputs(again), RunProblem::kPlans,
                    which.c_str(), again);
      }
      plan.Destroy(again);
    }
    if (KeepProblem(again, run)) return;
    if (turn % kStep == 0 && holdings.Look(turn) && turn >= kFewestTurns) return;
    if (turn == kTurns && holdings.threads_grow()) break;
  }
  const int turns = std::min(turn, kTurnsOfMemory);
  SetProblem(run, RunProblem::kLeak, "destroy", holdings.Text(turns));
}

void ProbeInstructions(const qc_backend& table, const CallRequest& request,
                       FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  MadePlan plan(table, view, request.threads, run);
  if (run.problem != RunProblem::kNone) return;
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[1]);
  qc_status status = QC_OK;
  const InstructionTrace trace = TraceInstructions([&] {
    status = table.run(plan.get(), memory.inputs().data(), view.outputs().data(),
                       memory.workspace());
  });
  if (status != QC_OK)
    SetProblem(run, RunProblem::kRepeat, "run",
               "run answers " + StatusText(status) + " to a later plan");
  const std::string objection = TraceObjection(run.path, request.call, trace);
  if (!objection.empty()) SetProblem(run, RunProblem::kPath, "run", objection);
}

}  // namespace

bool IsSmallEnoughToProbe(const OperatorCall& call) {
  const bool empty = call.outputs.empty() || NumElements(call.outputs[0].shape) == 0;
  return !empty && InputBytes(call) <= kLargestProbe;
}

bool TakeFirstOfItsClass(const qc_backend& table, const OperatorCall& call) {
  return IsSmallEnoughToProbe(call) &&
         IsFirst(table, call, HasWholeVectors(call.outputs[0]) ? "whole" : "rest");
}

void ProbePlans(const qc_backend& table, const CallRequest& request,
                bool first_of_its_class, FormatRun& run) {
  const OperatorCall& call = request.call;
  if (!IsSmallEnoughToProbe(call)) return;
  if (first_of_its_class) RunManyTimes(table, request, run);
  const auto is_sound = [&run] { return run.problem == RunProblem::kNone; };
  if (first_of_its_class && is_sound()) RunOnOtherInputs(table, request, run);
  if (first_of_its_class && is_sound()) PlanForOtherThreads(table, request, run);
  if (is_sound() && IsFirst(table, call, "holdings")) PlanManyTimes(table, request, run);
  if (!is_sound() || !IsWorthATrace(run.path, call)) return;
  const char* expected = MustVectorize(call) ? "vectors" : "trace";
  if (IsFirst(table, call, run.path + expected)) ProbeInstructions(table, request, run);
}

}  // namespace qconform
