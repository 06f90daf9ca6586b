// Commands that misbehave in every way end in a verdict of their case alone.
#include <gtest/gtest.h>

#include <filesystem>

#include "conformance/cases/build_call.h"
#include "conformance/host/exec_folder.h"
#include "conformance/host/exec_target.h"
#include "conformance/host/plugin.h"
#include "conformance/verdict/case_source.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmall =
    "t/linear.u8s8u8.per_channel.bias_f32/m3.k8.n8.zx3.zy5/uniform";
constexpr const char* kOther = "t/relu.u8u8/i2x3.zx3.zy5/uniform";

ExecOptions Options() {
  ExecOptions options;
  options.form = OnnxForm::kInteger;
  return options;
}

CaseRecord RunOn(CallTarget& target, const char* id) {
  return RunOperatorCase(BuildCase(RowFromId(id)), Subject{target, {}, nullptr});
}

CaseRecord RunWith(const std::string& arguments, ExecOptions options = Options()) {
  ExecTarget target(QCONFORM_ONNX_EVALUATOR " " + arguments, options);
  return RunOn(target, kSmall);
}

TEST(Exec, AModelThatHoldsTheSchemeIsComparedExactly) {
  const CaseRecord record = RunWith("");
  EXPECT_EQ(record.verdict, Verdict::kPass);
  EXPECT_EQ(record.scheme_declared, "f32/one/even/bias_f32/zp_after");
  EXPECT_EQ(record.elements, 24);
}

TEST(Exec, ADeclaredSchemeIsCompared) {
  ExecOptions options;
  options.form = OnnxForm::kOperator;
  options.scheme = "f32/one/even/bias_s32/zp_after";
  const CaseRecord record = RunWith("", options);
  EXPECT_EQ(record.verdict, Verdict::kPassScheme);
  EXPECT_EQ(record.scheme_compared, options.scheme);
}

TEST(Exec, EveryFaultHasItsVerdict) {
  const auto expect = [](const char* fault, Verdict verdict, const std::string& cause,
                         const std::string& word) {
    const CaseRecord record = RunWith(std::string("--fault=") + fault);
    EXPECT_EQ(VerdictName(record.verdict), VerdictName(verdict)) << fault;
    if (verdict != Verdict::kFail || !cause.empty()) {
      EXPECT_EQ(record.cause, cause) << fault;
    }
    std::string text = record.signal + " " + record.reason;
    for (const std::string& line : record.details) text += "\n" + line;
    EXPECT_NE(text.find(word), std::string::npos) << fault << ": " << text;
  };
  expect("wrong_code", Verdict::kFail, "", "got");
  expect("crashes", Verdict::kCrash, "", "SIGSEGV");
  expect("aborts", Verdict::kCrash, "", "SIGABRT");
  expect("exits", Verdict::kCrash, "", "exit 3");
  expect("prints_without_end", Verdict::kCrash, "", "printed without end");
  expect("refuses", Verdict::kRefused, "", "no kernel for this operator");
  expect("no_output", Verdict::kFail, "unwritten output",
         "test_data_set_0/output_0.pb is not there");
  expect("wrong_shape", Verdict::kFail, "output file",
         "[24, 1, 1], expected uint8 [3, 8]");
  expect("wrong_dtype", Verdict::kFail, "output file", "float64 [3, 8], expected uint8");
  expect("damaged_output", Verdict::kFail, "output file",
         "test_data_set_0/output_0.pb: ");
  expect("endless_output", Verdict::kFail, "output file", "no ordinary file");
  expect("huge_output", Verdict::kFail, "output file",
         "1099511627776 bytes, expected at");
}

TEST(Exec, WhatHangsIsKilledWithItsChildren) {
  ExecOptions options = Options();
  options.limits.time_limit_ms = 300;
  EXPECT_EQ(RunWith("--fault=hangs", options).verdict, Verdict::kHang);
  EXPECT_EQ(RunWith("--fault=hangs_in_a_child", options).verdict, Verdict::kHang);
}

TEST(Exec, ProcessorTimeIsLimited) {
  ExecOptions options = Options();
  options.limits.cpu_limit_seconds = 1;
  const CaseRecord record = RunWith("--fault=spins", options);
  EXPECT_EQ(record.verdict, Verdict::kHang);
  EXPECT_EQ(record.signal, "SIGXCPU");
}

// "" if there is something to run.
std::string LoadError(const std::string& command) {
  try {
    ExecTarget(command, Options()).Load();
  } catch (const BackendError& error) {
    return error.what();
  }
  return "";
}

TEST(Exec, ACommandThatIsNotThereIsUnusable) {
  EXPECT_EQ(LoadError("/nowhere/runtime"),
            "exec:/nowhere/runtime: backend unusable: no file /nowhere/runtime, expected "
            "a command that the shell finds");
  const auto expect = [](const char* command, const char* part) {
    EXPECT_NE(LoadError(command).find(part), std::string::npos) << LoadError(command);
  };
  expect("no_such_runtime --fast", "no command no_such_runtime on PATH");
  expect("HOME=/x exec ./no_such_runtime", "no file ./no_such_runtime");
  expect("/etc/passwd", "/etc/passwd is not executable");
  expect("/", "/ is a folder");
  expect(" ", "no command");
  for (const char* sound : {"sh -c true", "exec sh x", "cd /; ./x", "N=1 true", "'/a b'",
                            "$RUNTIME", "if true", QCONFORM_ONNX_EVALUATOR " --stay"})
    EXPECT_EQ(LoadError(sound), "") << sound;
}

// What the shell finds may begin something that it does not.
TEST(Exec, ACommandWithinThatIsNotThereIsACrash) {
  ExecTarget target("true && /nowhere/runtime", Options());
  const CaseRecord record = RunOn(target, kSmall);
  EXPECT_EQ(record.verdict, Verdict::kCrash);
  EXPECT_EQ(record.signal, "exit 127");
  EXPECT_NE(record.printed.find("not found"), std::string::npos) << record.printed;
}

TEST(Exec, TheFirstCaseOfAnOperatorIsRunTwice) {
  const fs::path flag = fs::path(::testing::TempDir()) / "qconform_exec_second";
  const auto run = [&](const std::string& what, const char* id) {
    fs::remove(flag);
    // The second start has the fault.
    ExecTarget target("sh -c 'if test -e " + flag.string() + "; then " + what +
                          "; else touch " + flag.string() +
                          "; " QCONFORM_ONNX_EVALUATOR " \"$0\"; fi'",
                      Options());
    const CaseRecord record = RunOn(target, id);
    fs::remove(flag);
    EXPECT_EQ(target.starts(), 2);
    return record;
  };
  const CaseRecord other =
      run(QCONFORM_ONNX_EVALUATOR " --fault=wrong_code \"$0\"", kSmall);
  EXPECT_EQ(other.verdict, Verdict::kFail);
  EXPECT_EQ(other.cause, "not repeatable");
  ASSERT_FALSE(other.details.empty());
  EXPECT_NE(other.details[0].find("a second call gives other bits"), std::string::npos)
      << other.details[0];
  EXPECT_EQ(run("exit 77", kSmall).cause, "not repeatable");
  EXPECT_EQ(run("exit 3", kSmall).verdict, Verdict::kCrash);
  EXPECT_EQ(run("true", kSmall).cause, "unwritten output");
}

TEST(Exec, ACommandMayStay) {
  ExecTarget stays(QCONFORM_ONNX_EVALUATOR " --stay", Options());
  ExecTarget leaves(QCONFORM_ONNX_EVALUATOR, Options());
  for (ExecTarget* target : {&stays, &leaves}) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(RunOn(*target, kSmall).verdict, Verdict::kPass);
      EXPECT_TRUE(IsPassed(RunOn(*target, kOther)));
    }
  }
  EXPECT_EQ(stays.starts(), 1);
  // Of two operators, each once more.
  EXPECT_EQ(leaves.starts(), 8);
}

// One that says that it is done, and then ends, has not failed the next folder.
TEST(Exec, ACommandMayEndAfterItIsDone) {
  ExecTarget target("sh -c '" QCONFORM_ONNX_EVALUATOR " \"$0\" && touch \"$0\"/done'",
                    Options());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(RunOn(target, kSmall).verdict, Verdict::kPass);
  EXPECT_EQ(target.starts(), 4);
}

TEST(Exec, ACommandThatStaysRefusesByAFile) {
  ExecTarget target(
      "sh -c 'echo no kernel > \"$0\"/refused.txt; touch \"$0\"/done; read next'",
      Options());
  const CaseRecord record = RunOn(target, kSmall);
  EXPECT_EQ(record.verdict, Verdict::kRefused);
  EXPECT_EQ(record.reason, "no kernel");
}

TEST(Exec, WhatNoModelSaysIsNotAsked) {
  ExecTarget target("false", Options());
  for (const char* id :
       {"t/quantize.f32u8/i4.zy5/not_a_number",
        "t/lstm.f32s8f32.per_tensor/i3x2x4.h4/uniform",
        "t/conv2d.u8s8u8.per_tensor.q31_two/n1.c2.i4x4.o2.k1x1.zx3.zy5/uniform"}) {
    SuiteRow row;
    ASSERT_NO_THROW(row = RowFromId(id)) << id;
    const ConformanceCase c = BuildCase(row);
    const CallOutcome outcome = target.Call(c.call);
    EXPECT_TRUE(outcome.reply.not_asked) << id;
    EXPECT_FALSE(outcome.reply.reason.empty());
  }
  EXPECT_EQ(target.starts(), 0);
}

TEST(Exec, NothingIsLeftBehind) {
  const fs::path room = fs::path(::testing::TempDir()) / "qconform_exec_room";
  fs::remove_all(room);
  fs::create_directories(room);
  setenv("TMPDIR", room.c_str(), 1);
  RunWith("");
  RunWith("--fault=crashes");
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(room));
  fs::remove_all(room);
}

}  // namespace
}  // namespace qconform
