#include "conformance/host/plan_probe.h"

#include <set>
#include <string>
#include <tuple>

#include "conformance/host/code_path.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"

namespace qconform {
namespace {

constexpr size_t kLargestProbe = 64 << 10;  // bytes of inputs
// glibc keeps up to seven freed blocks of a size at hand and counts them as in use: a
// leak shows in steps, and what is none may grow until such caches are full. None grows
// in each of so many steps.
constexpr int kStep = 8;
constexpr int kTurns = 8 * kStep + 1;

// Once in this process for each backend, kind and whatever else there is to tell apart.
bool IsFirst(const qc_backend& table, const OperatorCall& call, const std::string& what) {
  static auto* const seen = new std::set<std::tuple<const void*, int, std::string>>;
  return seen->emplace(reinterpret_cast<const void*>(table.run), call.kind, what).second;
}

void ProbeHoldings(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  std::unique_ptr<RunMemory> memory;
  ProcessHoldings first, before;
  bool bytes_grow = true;
  bool threads_grow = true;
  for (int turn = 0; turn < kTurns; ++turn) {
    FormatRun again;
    MadePlan plan(table, view, request.threads, again);
    if (!plan.ok()) return;
    if (again.path != run.path) {
      SetProblem(run, RunProblem::kPath, "plan",
                 "claims the path " + again.path + " for a plan that was " + run.path +
                     " before");
      return;
    }
    if (!memory)
      memory = std::make_unique<RunMemory>(request.call, view, plan.info(),
                                           Placement::kFlushToEnd, kOutputFill[0]);
    if (plan.info().workspace_bytes > run.workspace_bytes) return;
    table.run(plan.get(), memory->inputs().data(), view.outputs().data(),
              memory->workspace());
    plan.Destroy(again);
    if (turn % kStep != 0) continue;
    const ProcessHoldings now = HoldingsNow();
    if (turn == 0) first = before = now;
    if (turn > 0) {
      bytes_grow &= now.heap_bytes > before.heap_bytes;
      threads_grow &= now.threads > before.threads;
      if (!bytes_grow && !threads_grow) return;
    }
    before = now;
  }
  const std::string after = " more after " + std::to_string(kTurns - 1) + " plans";
  SetProblem(
      run, RunProblem::kLeak, "destroy",
      threads_grow
          ? "keeps threads: " + std::to_string(before.threads - first.threads) + after
          : "keeps memory: " + std::to_string(before.heap_bytes - first.heap_bytes) +
                " bytes" + after);
}

void ProbeInstructions(const qc_backend& table, const CallRequest& request,
                       FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  FormatRun again;
  MadePlan plan(table, view, request.threads, again);
  if (!plan.ok()) return;
  RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                   kOutputFill[0]);
  const InstructionTrace trace = TraceInstructions([&] {
    table.run(plan.get(), memory.inputs().data(), view.outputs().data(),
              memory.workspace());
  });
  const std::string objection = TraceObjection(run.path, request.call, trace);
  if (!objection.empty()) SetProblem(run, RunProblem::kPath, "run", objection);
}

}  // namespace

void ProbePlans(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  const OperatorCall& call = request.call;
  size_t bytes = 0;
  for (const auto& input : call.inputs) bytes += input ? input->data.size() : 0;
  const bool empty = call.outputs.empty() || NumElements(call.outputs[0].shape) == 0;
  if (empty || bytes > kLargestProbe) return;
  if (IsFirst(table, call, "holdings")) ProbeHoldings(table, request, run);
  if (!IsWorthATrace(run.path, call)) return;
  const char* expected = MustVectorize(call) ? "vectors" : "trace";
  if (IsFirst(table, call, run.path + expected)) ProbeInstructions(table, request, run);
}

}  // namespace qconform
