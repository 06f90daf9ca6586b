#include "conformance/verdict/levels.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

CaseRecord Of(const std::string& kind, Verdict verdict, int level) {
  CaseRecord record;
  record.kind = kind;
  record.verdict = verdict;
  record.level = level;
  return record;
}

TEST(Levels, AnOperatorHasTheLowestOfItsPasses) {
  CaseRecord refused = Of("linear", Verdict::kRefused, -1);
  const auto levels =
      LevelsOf({Of("linear", Verdict::kPass, 3), Of("linear", Verdict::kPassScheme, 2),
                refused, Of("relu", Verdict::kPass, 3), Of("relu", Verdict::kPass, 4),
                Of("add", Verdict::kPass, 1), Of("add", Verdict::kPass, 4),
                Of("mul", Verdict::kPass, 3), Of("mul", Verdict::kFail, -1),
                Of("tanh", Verdict::kPass, 3), Of("tanh", Verdict::kKnown, -1),
                Of("gelu", Verdict::kRefused, -1)});
  EXPECT_EQ(levels, (std::map<std::string, int>{{"linear", 2}, {"relu", 4}, {"add", 1}}));
}

TEST(Levels, OfAnExactComparison) {
  EXPECT_EQ(LevelOf(Of("relu", Verdict::kPass, -1)), 3);
  EXPECT_EQ(LevelOf(Of("relu", Verdict::kPassScheme, -1)), 2);
  EXPECT_EQ(LevelOf(Of("relu", Verdict::kFail, -1)), -1);
  CaseRecord whole = Of("relu", Verdict::kPass, -1);
  whole.domain = "whole";
  EXPECT_EQ(LevelOf(whole), 4);
  whole.verdict = Verdict::kPassScheme;
  EXPECT_EQ(LevelOf(whole), 2);
}

}  // namespace
}  // namespace qconform
