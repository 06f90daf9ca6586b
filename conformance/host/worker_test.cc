// Backends that cannot be used give one line; one that dies loses only its case.
#include "conformance/host/worker.h"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/cases/build_call.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/case_source.h"

namespace qconform {
namespace {

constexpr const char* kSmall =
    "t/linear.u8s8u8.per_tensor.bias_f32/m1.k8.n8.zx3.zy5/uniform";

std::string ErrorOf(const std::filesystem::path& file, int64_t time_limit_ms = 20000) {
  WorkerOptions options = TestWorkerOptions();
  options.time_limit_ms = time_limit_ms;
  Worker worker(file, options);
  try {
    worker.Load();
  } catch (const BackendError& error) {
    return error.what();
  }
  return "loaded";
}

void ExpectOneLine(const std::string& error, const std::string& part) {
  EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(Worker, UnusableBackendsGiveOneLine) {
  const std::string text = ::testing::TempDir() + "qconform_no_shared_object.so";
  std::ofstream(text) << "not a shared object\n";
  ExpectOneLine(ErrorOf(text), "cannot be loaded");
  ExpectOneLine(ErrorOf("/nowhere/backend.so"), "no such file");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_crashes_on_load")),
                "crashes while it is loaded (SIGABRT)");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_raises_on_load")),
                "crashes while it is loaded (SIGSEGV)");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_hangs_on_load"), 500), "hangs");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_exports_no_symbol")), "exports no symbol");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_other_major")), "speaks ABI 2.0");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_no_table")), "cannot speak ABI");
  ExpectOneLine(ErrorOf(SaboteurFile("unusable_no_run")), "not complete");
  EXPECT_EQ(ErrorOf(SaboteurFile("saboteur_none")), "loaded");
}

TEST(Worker, GoesOnAfterACrash) {
  const OperatorCall call = BuildCall(RowFromId(kSmall));
  Worker worker(SaboteurFile("saboteur_crash_in_run"), TestWorkerOptions());
  for (int i = 0; i < 3; ++i) {
    const CallOutcome outcome = worker.Call(call);
    EXPECT_EQ(outcome.end, CallEnd::kCrashed);
    EXPECT_EQ(outcome.signal, "SIGSEGV");
    EXPECT_EQ(outcome.phase, "run");
  }
  EXPECT_EQ(worker.starts(), 3);
}

TEST(Worker, SaysWhichQuestionCrashed) {
  const OperatorCall call =
      BuildCall(RowFromId("t/linear.u8s8u8.per_tensor/m1.k8.n8.zx3.zy5/uniform"));
  Worker worker(SaboteurFile("saboteur_counts_absent_inputs"), TestWorkerOptions());
  const CallOutcome outcome = worker.Call(call);
  EXPECT_EQ(outcome.end, CallEnd::kCrashed);
  EXPECT_EQ(outcome.phase, "plan");
  EXPECT_EQ(outcome.asked, "an input_count that leaves out absent inputs at the end");
  Worker bounds(SaboteurFile("saboteur_reads_short_structs"), TestWorkerOptions());
  const CallOutcome stray = bounds.Call(call);
  EXPECT_EQ(stray.end, CallEnd::kOutOfBounds);
  EXPECT_EQ(stray.phase, "query");
  EXPECT_EQ(stray.asked.find("attributes of "), 0u) << stray.asked;
}

// The allocator ends the process itself.
TEST(Worker, GoesOnAfterADoubleFree) {
  const OperatorCall call = BuildCall(RowFromId(kSmall));
  Worker worker(SaboteurFile("saboteur_free_twice"), TestWorkerOptions());
  for (int i = 0; i < 2; ++i) {
    const CallOutcome outcome = worker.Call(call);
    EXPECT_EQ(outcome.end, CallEnd::kCrashed);
    EXPECT_EQ(outcome.signal, "SIGABRT");
    EXPECT_EQ(outcome.phase, "run");
  }
  EXPECT_EQ(worker.starts(), 2);
}

TEST(Worker, OneProcessServesManyCalls) {
  const OperatorCall call = BuildCall(RowFromId(kSmall));
  Worker worker(SaboteurFile("saboteur_none"), TestWorkerOptions());
  for (int i = 0; i < 3; ++i) {
    const CallOutcome outcome = worker.Call(call);
    ASSERT_EQ(outcome.end, CallEnd::kReplied);
    // Contiguous and one kind of strides, the first time the other two as well.
    ASSERT_EQ(outcome.reply.runs.size(), i == 0 ? 4u : 2u);
    EXPECT_EQ(outcome.reply.runs[0].path, "saboteur");
  }
  EXPECT_EQ(worker.starts(), 1);
}

// Whatever ran before it: repro of a case says what the run said.
TEST(Worker, AKeptPlanFailsTheFirstCase) {
  for (const char* id : {kSmall, "t/add.u8u8u8/i3x8.zx3.zw5.zy128/uniform",
                         "t/batch_norm.u8u8/i2x5x6x7.zx77.zy128/uniform"}) {
    for (const auto& [file, verdict] :
         {std::pair("saboteur_none", Verdict::kPass),
          std::pair("saboteur_plans_by_shape", Verdict::kFail)}) {
      Worker worker(SaboteurFile(file), TestWorkerOptions());
      const CaseRecord record =
          RunOperatorCase(BuildCase(RowFromId(id)), Subject{worker, {}, nullptr});
      EXPECT_EQ(record.verdict, verdict) << file << " " << id << " " << record.cause;
    }
  }
}

TEST(Worker, KeepsWhatABackendPrints) {
  const OperatorCall call = BuildCall(RowFromId(kSmall));
  Worker worker(SaboteurFile("saboteur_print"), TestWorkerOptions());
  EXPECT_EQ(worker.Call(call).printed.substr(0, 17), "saboteur: call 1\n");
  EXPECT_EQ(worker.Call(call).printed.substr(0, 17), "saboteur: call 1\n");
}

// Of every call, whichever worker it meets.
TEST(Worker, WhatIsPrintedOnLoadFailsEveryCase) {
  Worker worker(SaboteurFile("saboteur_prints_on_load"), TestWorkerOptions());
  for (int i = 0; i < 2; ++i) {
    const CaseRecord record =
        RunOperatorCase(BuildCase(RowFromId(kSmall)), Subject{worker, {}, nullptr});
    EXPECT_EQ(record.verdict, Verdict::kFail);
    EXPECT_EQ(record.cause, "prints");
    ASSERT_EQ(record.details.size(), 1u);
    EXPECT_EQ(record.details[0], "prints 'saboteur: loaded' while it is loaded");
  }
}

TEST(Wire, RefusesShortMessages) {
  CallReply reply;
  reply.scheme = "copy";
  std::vector<std::byte> bytes = EncodeReply(reply);
  EXPECT_EQ(DecodeReply(bytes).scheme, "copy");
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_THROW(DecodeReply(bytes), WireError);
  }
}

}  // namespace
}  // namespace qconform
