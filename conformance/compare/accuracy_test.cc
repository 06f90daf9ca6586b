#include "conformance/compare/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace qconform {
namespace {

using Values = std::vector<double>;

TEST(Accuracy, SqnrIsAPowerOfTheNoise) {
  EXPECT_DOUBLE_EQ(SqnrDb(Values{11, 0}, Values{10, 0}), 20.0);
  EXPECT_NEAR(SqnrDb(Values{1.1, -0.9}, Values{1, -1}), 20.0, 1e-12);
  EXPECT_EQ(SqnrDb(Values{3, 4}, Values{3, 4}), HUGE_VAL);
  EXPECT_EQ(SqnrDb(Values{1}, Values{0}), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(SqnrDb(Values{NAN}, Values{1})));
}

TEST(Accuracy, TopOneIsTheFirstMaximum) {
  const Values want = {1, 2, 3, 4, 4, 0};
  const Values got = {1, 5, 3, 4, 4, 9};
  const auto agreement = CompareTopOne({2, 3}, got, want);
  ASSERT_TRUE(agreement);
  EXPECT_EQ(agreement->rows, 2);
  EXPECT_EQ(agreement->same, 0);
  EXPECT_EQ(CompareTopOne({2, 3}, want, want)->same, 2);
  EXPECT_FALSE(CompareTopOne({6}, got, want)) << "no classes";
  EXPECT_FALSE(CompareTopOne({6, 1}, got, want)) << "one class";
}

}  // namespace
}  // namespace qconform
