// `qconform match` as a user meets it.
#include <gtest/gtest.h>

#include <string>

#include "cli/shell_outcome.h"

namespace qconform {
namespace {

constexpr const char* kGraph =
    QCONFORM_SOURCE_DIR "/datasets/models/digits/float.graph.json";

ShellOutcome Match(const std::string& pattern, const std::string& rest = kGraph) {
  return RunShell(std::string(QCONFORM_BINARY) + " match '" + pattern + "' " + rest);
}

TEST(MatchVerb, PrintsWhatMatched) {
  const ShellOutcome outcome = Match("(nn.Conv2d, nn.BatchNorm2d, nn.ReLU)");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("relu1            matches: relu1 is torch.nn.ReLU, bn1 "
                                "is torch.nn.BatchNorm2d, conv1 is torch.nn.Conv2d"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.LastLine().rfind("matches at ", 0), 0u) << outcome.output;
}

TEST(MatchVerb, NamesTheFailingBranchAndBothValues) {
  const ShellOutcome outcome =
      Match("(nn.Conv2d, nn.ReLU)", std::string(kGraph) + " relu1");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("fails at bn1 (argument 0 of relu1), module type"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("found  torch.nn.BatchNorm2d"), std::string::npos);
  EXPECT_NE(outcome.output.find("wanted torch.nn.Conv2d"), std::string::npos);
  EXPECT_EQ(outcome.LastLine(), "matches at 0 of 1 nodes");
}

TEST(MatchVerb, SuggestsTheNearestName) {
  const ShellOutcome outcome = Match("nn.Conv2D");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("nearest known name torch.nn.Conv2d"), std::string::npos)
      << outcome.output;
}

TEST(MatchVerb, RefusesEmptyNames) {
  for (const ShellOutcome& outcome :
       {Match(""), Match(" "), Match("\"\""), Match("[]"), Match("[\"\", \"nn.ReLU\"]"),
        Match("nn.ReLU", std::string(kGraph) + " ''"),
        Match("nn.ReLU", std::string(kGraph) + " --fused ''"), Match("nn.ReLU", "''")}) {
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
  }
}

constexpr const char* kResnet18 =
    QCONFORM_SOURCE_DIR "/datasets/vision/resnet18/float.graph.json";

// resnet18 is kept without tensors; each of its 8 blocks has one conv-bn-relu and one
// conv-bn before the sum, and its stem one conv-bn-relu.
TEST(MatchVerb, ReadsGraphsWithoutTensors) {
  const ShellOutcome outcome = Match("(nn.Conv2d, nn.BatchNorm2d, nn.ReLU)", kResnet18);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.LastLine().rfind("matches at 9 of ", 0), 0u) << outcome.output;
}

TEST(MatchVerb, FindsFusedClassesInTheFusedGraph) {
  const std::string graph = kResnet18;
  const ShellOutcome unfused = Match("nni.ConvReLU2d", graph);
  EXPECT_EQ(unfused.exit_code, 1);
  EXPECT_NE(unfused.output.find("stands in a graph only after fusion: --fused CONFIG"),
            std::string::npos)
      << unfused.output;
  const ShellOutcome fused = Match("nni.ConvReLU2d", graph + " --fused x86");
  EXPECT_EQ(fused.exit_code, 0) << fused.output;
  EXPECT_EQ(fused.output.find("note "), std::string::npos) << fused.output;
  EXPECT_EQ(fused.LastLine().rfind("matches at 9 of ", 0), 0u) << fused.output;
}

TEST(MatchVerb, FindsQatClassesAfterTheSwap) {
  const std::string graph = kResnet18;
  const ShellOutcome linear = Match("torch.ao.nn.qat.Linear", graph + " --fused x86");
  EXPECT_EQ(linear.exit_code, 1) << linear.output;
  EXPECT_NE(linear.output.find("only after the swap for QAT: --fused CONFIG --qat"),
            std::string::npos)
      << linear.output;
  EXPECT_EQ(Match("torch.ao.nn.qat.Linear", graph + " --fused x86 --qat")
                .LastLine()
                .rfind("matches at 1 of ", 0),
            0u);
  EXPECT_EQ(Match("torch.ao.nn.intrinsic.qat.ConvBnReLU2d", graph + " --fused x86 --qat")
                .LastLine()
                .rfind("matches at 9 of ", 0),
            0u);
}

// relu1 is a node of the float graph; fused it is a part of conv1.
TEST(MatchVerb, ANodeThatThereIsNotIsAMistake) {
  for (const auto& [rest, nearest] :
       {std::pair<std::string, std::string>{" rellu1", "'relu1'"},
        {" conv_1 --fused x86", "'conv1'"}}) {
    const ShellOutcome outcome = Match("nn.ReLU", kGraph + rest);
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find("expected " + nearest), std::string::npos)
        << outcome.output;
  }
}

TEST(MatchVerb, BadInputIsOneLineAndExitCode4) {
  const std::string graph = kGraph;
  for (const auto& [pattern, rest] : {std::pair<std::string, std::string>{"(a, b", graph},
                                      {"[1", graph},
                                      {"nn.ReLU", "nowhere.json"},
                                      {"nn.ReLU", graph + " rellu1"},
                                      {"nn.ReLU", graph + " --forward --stored"},
                                      {"nn.ReLU", graph + " --qat"},
                                      {"nn.ReLU", graph + " --fused nowhere"},
                                      {"(builtins.getattr, 1, 2)", graph},
                                      {"nn.ReLU", ""}}) {
    const ShellOutcome outcome = Match(pattern, rest);
    EXPECT_EQ(outcome.exit_code, 4) << pattern << " " << rest << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find("expected"), std::string::npos) << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
