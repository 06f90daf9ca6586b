// What a backend may use up, and the target that has no worker.
#include <gtest/gtest.h>
#include <signal.h>

#include "conformance/cases/build_call.h"
#include "conformance/host/in_process.h"
#include "conformance/saboteurs/saboteur_files.h"

namespace qconform {
namespace {

OperatorCall SmallCall() {
  return BuildCall(
      RowFromId("t/linear.u8s8u8.per_tensor.bias_f32/m1.k8.n8.zx3.zy5/uniform"));
}

TEST(WorkerLimits, ProcessorTimeRunsOut) {
  WorkerOptions options = TestWorkerOptions();
  options.cpu_limit_seconds = 1;
  Worker worker(SaboteurFile("saboteur_hang_in_run"), options);
  const CallOutcome outcome = worker.Call(SmallCall());
  EXPECT_EQ(outcome.end, CallEnd::kHung);
  EXPECT_EQ(outcome.signal, "SIGXCPU");
  EXPECT_EQ(outcome.phase, "run");
}

// Of another kind nothing is known yet.
TEST(WorkerLimits, AKindThatHangsIsGivenLessTime) {
  WorkerOptions options = TestWorkerOptions();
  options.time_limit_ms = 500;
  options.shorten_after_hangs = true;
  Worker worker(SaboteurFile("saboteur_hang_in_run"), options);
  const OperatorCall relu = BuildCall(RowFromId("t/relu.u8u8/i256.zx255.zy255/uniform"));
  const auto limit = [&](const OperatorCall& call) {
    const CallOutcome outcome = worker.Call(call);
    EXPECT_EQ(outcome.end, CallEnd::kHung);
    return outcome.shortened_limit_ms;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit(SmallCall()), 0);
  EXPECT_EQ(limit(SmallCall()), 50);
  EXPECT_EQ(limit(relu), 0);
  EXPECT_EQ(limit(SmallCall()), 50);
}

TEST(WorkerLimits, ARestartIsMeasured) {
  Worker worker(SaboteurFile("saboteur_crash_in_run"), TestWorkerOptions());
  worker.Load();
  EXPECT_EQ(worker.Call(SmallCall()).start_seconds, 0);
  EXPECT_GT(worker.Call(SmallCall()).start_seconds, 0);
}

TEST(InProcessTarget, AnswersAsAWorkerDoes) {
  InProcess here(SaboteurFile("saboteur_none"), 1, false);
  Worker there(SaboteurFile("saboteur_none"), TestWorkerOptions());
  EXPECT_EQ(here.Load().name, there.Load().name);
  const CallOutcome one = here.Call(SmallCall());
  const CallOutcome two = there.Call(SmallCall());
  ASSERT_EQ(one.end, CallEnd::kReplied);
  EXPECT_EQ(one.reply.runs[0].outputs, two.reply.runs[0].outputs);
}

TEST(InProcessDeathTest, StopsBeforeTheRun) {
  InProcess here(SaboteurFile("saboteur_none"), 1, true);
  EXPECT_EXIT(here.Call(SmallCall()), testing::KilledBySignal(SIGTRAP), "");
}

}  // namespace
}  // namespace qconform
