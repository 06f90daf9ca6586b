#include "conformance/host/compare_runs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "conformance/host/other_inputs.h"
#include "conformance/host/paused_run.h"

namespace qconform {
namespace {

// One thread's view and memory.
struct Lane {
  Lane(const OperatorCall& call, MemoryFormat format, const qc_plan_info& info,
       Placement placement)
      : view(call, format), memory(call, view, info, placement, kOutputFill[1]) {}

  // Of every turn: a later one must not hide what an earlier one did.
  void Keep() {
    outputs.push_back(memory.Outputs(outcome));
    memory.RefillOutputs(kOutputFill[1]);
  }

  AbiView view;
  RunMemory memory;
  qc_status status = QC_OK;
  FormatRun outcome;
  std::vector<DenseOutputs> outputs;
};

bool IsShort(const OperatorCall& call) { return InputBytes(call) <= 1024; }

}  // namespace

void CompareRuns(const OperatorCall& call, const DenseOutputs& first,
                 const DenseOutputs& other, RunProblem problem, const char* what,
                 FormatRun& run) {
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i] == other[i]) continue;
    const size_t item = AbiItemSize(call.outputs[i].dtype);
    size_t differing = 0;
    size_t unwritten = 0;
    size_t where = 0;
    for (size_t at = 0; at < first[i].size(); at += item) {
      if (std::memcmp(&first[i][at], &other[i][at], item) == 0) continue;
      if (differing++ == 0) where = at / item;
      bool untouched = true;
      for (size_t b = 0; b < item; ++b)
        untouched &=
            first[i][at + b] == kOutputFill[0] && other[i][at + b] == kOutputFill[1];
      unwritten += untouched ? 1 : 0;
    }
    if (differing == 0) continue;
    const std::string place = " element" + std::string(differing == 1 ? "" : "s") +
                              " of output " + std::to_string(i) + ", the first at " +
                              std::to_string(where);
    if (unwritten == differing) {
      SetProblem(run, RunProblem::kUnwritten, "run",
                 "leaves " + std::to_string(unwritten) + place + ", unwritten");
    } else {
      SetProblem(run, problem, "run",
                 what + std::string(" gives other bits in ") + std::to_string(differing) +
                     place);
    }
  }
}

void RunInTwoThreads(const qc_backend& table, const OperatorCall& call, qc_plan* plan,
                     const qc_plan_info& info, int pauses, FormatRun& run) {
  // Other inputs cost a run alone: for short calls only, of which every kind has some.
  const bool is_short = IsShort(call);
  const OperatorCall other = is_short ? CallOfOtherInputs(call) : call;
  Lane here(call, run.format, info, Placement::kFlushToEnd);
  Lane there(other, run.format, info, Placement::kFlushToStart);
  const auto once = [&](Lane& lane) {
    const auto begin = std::chrono::steady_clock::now();
    if (lane.status == QC_OK)
      lane.status = table.run(plan, lane.memory.inputs().data(),
                              lane.memory.outputs().data(), lane.memory.workspace());
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin);
  };
  // What the other inputs give when nobody else runs.
  DenseOutputs alone = run.outputs;
  auto shortest = std::chrono::nanoseconds::max();
  if (is_short) {
    shortest = once(there);
    alone = there.memory.Outputs(there.outcome);
    there.memory.RefillOutputs(kOutputFill[1]);
  }
  std::atomic<int> ready = 0;
  const auto together = [&](Lane& lane) {
    ++ready;
    // Asleep it would begin too late, but the other may lack a processor.
    for (int spins = 0; ready < 2; ++spins)
      if (spins > 10'000) std::this_thread::yield();
    const std::chrono::nanoseconds time = once(lane);
    if (&lane == &here) shortest = std::min(shortest, time);
    lane.Keep();
  };
  std::optional<PausedRun> pause;
  if (pauses > 0) pause.emplace();
  std::thread thread([&] {
    together(there);
    while (pause && pause->WaitForPause()) {
      once(there);
      pause->Continue();
      there.Keep();
    }
  });
  together(here);
  // Each in another part of a run. One that was missed gets another try.
  for (int at = 0, tries = 0; at < pauses && tries < 4 * pauses && !pause->timed_out();
       ++tries) {
    const bool paused =
        pause->Run(shortest * (2 * at + 1) / (2 * pauses), [&] { once(here); });
    at += paused ? 1 : 0;
    here.Keep();
  }
  if (pause) pause->Finish();
  thread.join();
  for (Lane* lane : {&here, &there}) {
    if (lane->status != QC_OK) {
      SetProblem(run, RunProblem::kThreads, "run",
                 "run answers status " + std::to_string(static_cast<int>(lane->status)) +
                     " to one of two threads");
      return;
    }
    lane->memory.CheckStrays(run);
    if (KeepProblem(lane->outcome, run)) return;
    for (const DenseOutputs& outputs : lane->outputs) {
      CompareRuns(call, lane == &here ? run.outputs : alone, outputs,
                  RunProblem::kThreads, "a call from two threads at once", run);
    }
  }
}

}  // namespace qconform
