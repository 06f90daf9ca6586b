// What a run and a list select, and what a run says about the selection.
#include <gtest/gtest.h>

#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/saboteurs/saboteur_files.h"

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

// What was caught by a suite that the backend refused says nothing about the backend.
TEST_F(SelectionOfCases, SaboteursSpeakOfWhatRan) {
  const auto line = [](const ShellOutcome& outcome) {
    const size_t begin = outcome.output.find("saboteurs ");
    if (begin == std::string::npos) return std::string();
    return outcome.output.substr(begin, outcome.output.find('\n', begin) - begin);
  };
  const std::string run = "run" + Backend("none");
  EXPECT_EQ(line(Qconform(run + " --suite prelu")), "");
  EXPECT_EQ(line(Qconform(run + " --suite range --data-seed 7")), "");
  const ShellOutcome both = Qconform(run + " --suite range --suite prelu");
  EXPECT_TRUE(line(both).empty() ||
              line(both).find("; none of the others ran: only range") !=
                  std::string::npos)
      << both.output;
  const ShellOutcome some = Qconform(run + " --suite first_light");
  EXPECT_NE(line(some).find(" of 247 cases did not run here"), std::string::npos)
      << some.output;
}

TEST_F(SelectionOfCases, ARunThatShowsNothingSaysSo) {
  const ShellOutcome outcome = Qconform("run" + Backend("none") + " --suite prelu");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("no verdict  every case was skipped"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(Qconform("run" + Backend("none") + " --filter '*linear*m1.*'")
                .output.find("no verdict"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
