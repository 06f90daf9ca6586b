// qconform bench compare: the gate that a benchmark's change has to pass.
#include <gtest/gtest.h>

#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"

namespace qconform {
namespace {

std::string Data(const std::string& name) {
  return QCONFORM_SOURCE_DIR "/bench/compare/testdata/" + name + ".json";
}

ShellOutcome Compare(const std::string& arguments) {
  return RunShell(QCONFORM_BINARY " bench compare " + arguments);
}

TEST(BenchCompare, ARegressionFails) {
  const ShellOutcome outcome = Compare(Data("units.old") + " " + Data("units.new"));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("SLOWER"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("family-wise false alarm <= 5 % over 2 benchmarks; "
                                "smallest detectable change "),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.LastLine(),
            "1 slower, 0 faster, 1 same, 0 not reliable, 0 errors, 0 in one file only");
}

TEST(BenchCompare, WithoutARegressionItPasses) {
  for (const char* pair : {"median", "counts", "two", "names", "errors"}) {
    const std::string name = pair;
    const ShellOutcome outcome = Compare(Data(name + ".old") + " " + Data(name + ".new"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  }
}

TEST(BenchCompare, UnlikeMachinesAreRefusedUnlessForced) {
  const std::string files = Data("machine.old") + " " + Data("machine.new");
  const ShellOutcome refused = Compare(files);
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_EQ(refused.Lines(), 1) << refused.output;
  EXPECT_NE(refused.output.find("cpu_cores 2 and 8, expected one machine, or --force"),
            std::string::npos)
      << refused.output;
  const ShellOutcome forced = Compare(files + " --force");
  EXPECT_EQ(forced.exit_code, 0);
  EXPECT_NE(forced.output.find("UNLIKE, forced: cpu_cores 2 and 8"), std::string::npos)
      << forced.output;
}

TEST(BenchCompare, BadFilesAreOneLine) {
  const std::string good = Data("median.old");
  for (const std::string& bad :
       {Data("aggregates"), Data("nowhere"), std::string(QCONFORM_SOURCE_DIR "/bench"),
        std::string(QCONFORM_SOURCE_DIR "/README.md"),
        std::string(QCONFORM_SOURCE_DIR "/datasets/kill_table.json")}) {
    for (const std::string& arguments : {good + " " + bad, bad + " " + good}) {
      const ShellOutcome outcome = Compare(arguments);
      EXPECT_EQ(outcome.exit_code, 4) << bad;
      EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
      EXPECT_NE(outcome.output.find("expected"), std::string::npos) << outcome.output;
    }
  }
  EXPECT_EQ(Compare(good).exit_code, 4);
  EXPECT_EQ(Compare(good + " " + good + " --frobnicate").exit_code, 4);
}

class BenchCompareFolder : public FolderTest {};

TEST_F(BenchCompareFolder, NothingInCommonIsNoSuccess) {
  const std::string other =
      Written("other.json", R"({"benchmarks": [{"name": "other", "real_time": 1}]})");
  const ShellOutcome outcome = Compare(Data("median.old") + " " + other);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.output;
  EXPECT_NE(outcome.output.find("only in new: other"), std::string::npos);
}

}  // namespace
}  // namespace qconform
