// What a run and a list select, and what a run says about the selection.
#include <gtest/gtest.h>

#include <string>

#include "cli/saboteurs_line.h"
#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/kill_record.h"

namespace qconform {
namespace {

class SelectionOfCases : public FolderTest {
 protected:
  ShellOutcome Qconform(const std::string& arguments) const {
    return RunShell("cd " + folder_.string() + " && " QCONFORM_BINARY " " + arguments);
  }
  static std::string Backend(const std::string& fault) {
    return " --backend " + SaboteurFile("saboteur_" + fault).string();
  }
};

TEST_F(SelectionOfCases, AGoldenByItsName) {
  const ShellOutcome list = Qconform("list --golden digits.x86");
  EXPECT_EQ(list.exit_code, 0) << list.output;
  EXPECT_TRUE(list.output.starts_with("digits.x86/")) << list.output;
  EXPECT_EQ(list.output,
            Qconform("list --golden " QCONFORM_SOURCE_DIR "/datasets/goldens/digits/x86")
                .output);
  const ShellOutcome unknown = Qconform("list --golden digits");
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_EQ(unknown.Lines(), 1) << unknown.output;
  EXPECT_NE(unknown.output.find("one of: crepe_tiny.qnnpack, crepe_tiny.x86, digits."),
            std::string::npos)
      << unknown.output;
}

// A backend's contract has cases for kernels in run, so in list too.
TEST_F(SelectionOfCases, ListsTheContractThatRunAsks) {
  const auto lists_kernels = [](const ShellOutcome& outcome) {
    return outcome.output.find("/contract/linear/") != std::string::npos;
  };
  const std::string of_backend = "list --contract" + Backend("none");
  const ShellOutcome kernels = Qconform(of_backend);
  EXPECT_EQ(kernels.exit_code, 0) << kernels.output;
  EXPECT_TRUE(lists_kernels(kernels)) << kernels.output;
  EXPECT_EQ(kernels.output.find("/contract/mapping/"), std::string::npos);
  const ShellOutcome pipeline =
      Qconform("list --contract --backend pipeline:anything --config x86");
  EXPECT_EQ(pipeline.exit_code, 0);
  EXPECT_NE(pipeline.output.find("x86/contract/mapping/"), std::string::npos);
  EXPECT_EQ(pipeline.output, Qconform("list --contract x86").output);
  EXPECT_EQ(Qconform("list --contract x86" + Backend("none")).output,
            Qconform("list --contract x86 --kernels").output);
  EXPECT_EQ(Qconform("list --contract").exit_code, 4) << "whose?";
  EXPECT_EQ(Qconform("list" + Backend("none")).exit_code, 4) << "it changes nothing";
  // Shards, and suites besides, as run has them.
  const int whole = kernels.Lines();
  const int first = Qconform(of_backend + " --shard 1/2").Lines();
  EXPECT_EQ(first + Qconform(of_backend + " --shard 2/2").Lines(), whole);
  EXPECT_LT(first, whole);
  EXPECT_EQ(Qconform(of_backend + " --suite range").Lines(),
            whole + Qconform("list --suite range").Lines());
}

std::string LineOf(const ShellOutcome& outcome) {
  const size_t begin = outcome.output.find("saboteurs ");
  if (begin == std::string::npos) return "";
  return outcome.output.substr(begin, outcome.output.find('\n', begin) - begin);
}

// What was caught by a suite that the backend refused says nothing about the backend.
TEST_F(SelectionOfCases, SaboteursSpeakOfWhatRan) {
  const std::string run = "run" + Backend("none");
  EXPECT_EQ(LineOf(Qconform("run" + Backend("refuse_declared") + " --suite prelu")), "");
  EXPECT_EQ(LineOf(Qconform(run + " --suite range --data-seed 7")), "")
      << "they have not met these data";
  EXPECT_EQ(LineOf(Qconform(run + " --suite range")).find(" did not run"),
            std::string::npos);
  EXPECT_NE(LineOf(Qconform(run + " --suite first_light"))
                .find("; 6 of 247 cases did not run here"),
            std::string::npos);
}

TEST(SaboteursLine, NamesTheSuitesThatItSpeaksOf) {
  const KillRecord kills =
      ReadKillRecord(QCONFORM_SOURCE_DIR "/datasets/kill_table.json");
  Selection selection;
  for (const char* suite : {"linear", "pooling", "prelu"}) {
    selection.whole_suites[suite] = kills.suites.at(suite);
    for (const char* name : {"/a", "/b"})
      selection.cases.push_back({std::string(suite) + name, suite, nullptr});
  }
  const auto record = [](const std::string& id, Verdict verdict) {
    CaseRecord one;
    one.id = id;
    one.verdict = verdict;
    return one;
  };
  std::vector<CaseRecord> records = {
      record("linear/a", Verdict::kPass),   record("linear/b", Verdict::kRefused),
      record("pooling/a", Verdict::kFail),  record("pooling/b", Verdict::kKnown),
      record("prelu/a", Verdict::kRefused), record("prelu/b", Verdict::kRefused)};
  const std::string line = SaboteursLine(selection, records);
  EXPECT_NE(line.find(" caught by these suites"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with(
      "; without prelu, of which no case ran; 1 of 4 cases did not run here"))
      << line;
  selection.whole_suites["linear"] = "another file";
  EXPECT_TRUE(SaboteursLine(selection, records)
                  .starts_with("not known: they have not met linear as it is now"));
  records.clear();
  EXPECT_EQ(SaboteursLine(selection, records), "");
}

// The backend has had no chance to be wrong.
TEST_F(SelectionOfCases, WhatTheMemoryDoesNotHoldIsNotRun) {
  const ShellOutcome outcome = Qconform(
      "run" + Backend("none") +
      " --memory 4096 --case pooling/mean.u8u8/i2050x1048576.axes1.zx77.zy77/uniform");
  EXPECT_NE(outcome.output.find("1 not run   not run: takes 8.3 GiB in the worker, which "
                                "may map 4.0 GiB (--memory)"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("1 refused (config"), std::string::npos);
  EXPECT_TRUE(outcome.output.ends_with("0 passed, 0 failed, 1 skipped\n"));
}

TEST_F(SelectionOfCases, ARunThatShowsNothingSaysSo) {
  const ShellOutcome outcome =
      Qconform("run" + Backend("refuse_declared") + " --suite prelu");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("no verdict  every case was skipped"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(Qconform("run" + Backend("none") + " --filter '*linear*m1.*'")
                .output.find("no verdict"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
