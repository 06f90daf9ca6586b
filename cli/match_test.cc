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

TEST(MatchVerb, BadInputIsOneLineAndExitCode4) {
  const std::string graph = kGraph;
  for (const auto& [pattern, rest] : {std::pair<std::string, std::string>{"(a, b", graph},
                                      {"[1", graph},
                                      {"nn.ReLU", "nowhere.json"},
                                      {"nn.ReLU", graph + " rellu1"},
                                      {"nn.ReLU", graph + " --forward --stored"},
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
