#include "reference/match/pattern_query.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string Stored(const std::string& text) {
  return ReadPatternQuery(text, "PATTERN").stored.HumanText();
}

TEST(PatternQuery, ForwardOrderIsTurnedRound) {
  EXPECT_EQ(Stored("torch.nn.Linear"), "torch.nn.Linear");
  EXPECT_EQ(Stored("(torch.nn.Conv2d, torch.nn.ReLU)"),
            "(torch.nn.ReLU, torch.nn.Conv2d)");
  EXPECT_EQ(Stored("(nn.Conv2d, nn.BatchNorm2d, F.relu)"),
            "(torch.nn.functional.relu, (torch.nn.BatchNorm2d, torch.nn.Conv2d))");
  EXPECT_EQ(Stored(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])"),
            "(torch.nn.ReLU, torch.nn.Conv2d)");
  EXPECT_EQ(Stored(R"({"pattern": ["torch.nn.Linear", "relu"]})"),
            "('relu', torch.nn.Linear)");
}

TEST(PatternQuery, NestedPatternsStandAsTheyAre) {
  const std::string residual =
      "(torch.nn.ReLU, (operator.add, MatchAllNode, torch.nn.Conv2d))";
  EXPECT_EQ(Stored(residual), residual);
  EXPECT_EQ(Stored("(operator.add, MatchAllNode, 3.0)"),
            "(operator.add, MatchAllNode, 3)");
  EXPECT_EQ(Stored("(builtins.getattr, 'shape')"), "(builtins.getattr, 'shape')");
  EXPECT_EQ(Stored(R"({"pattern_complex_format": ["relu", "torch.nn.Linear"]})"),
            "('relu', torch.nn.Linear)");
}

TEST(PatternQuery, SaysWhatIsWrong) {
  for (const char* text :
       {"", "(", "()", "(a b)", "(a,, b)", "(a, b", "(a)) ", "'open", "[1", "{}",
        "(a, b, c, d)", "(%)", "(a;b)", "(builtins.getattr, 1, 2)"}) {
    const auto order = std::string(text) == "(a, b, c, d)"
                           ? std::optional(PatternOrder::kForward)
                           : std::nullopt;
    EXPECT_THROW(ReadPatternQuery(text, "PATTERN", order), InputError) << text;
  }
}

}  // namespace
}  // namespace qconform
