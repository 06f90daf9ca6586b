#include "bench/compare/mann_whitney.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "bench/compare/ratio_interval.h"

namespace qconform::bench {
namespace {

using Values = std::vector<double>;

// Pairs in which b is larger, by looking at every pair.
double CountU(const Values& a, const Values& b) {
  double u = 0;
  for (const double x : a)
    for (const double y : b) u += y > x ? 1 : y == x ? 0.5 : 0;
  return u;
}

// Every way to deal the values out.
double EnumeratedP(const Values& a, const Values& b) {
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  const double mean = static_cast<double>(a.size() * b.size()) / 2;
  const double distance = std::abs(CountU(a, b) - mean);
  int as_far = 0, ways = 0;
  for (uint32_t chosen = 0; chosen < 1u << all.size(); ++chosen) {
    if (static_cast<size_t>(std::popcount(chosen)) != b.size()) continue;
    Values first, second;
    for (size_t i = 0; i < all.size(); ++i)
      (chosen >> i & 1 ? second : first).push_back(all[i]);
    ++ways;
    as_far += std::abs(CountU(first, second) - mean) >= distance ? 1 : 0;
  }
  return static_cast<double>(as_far) / ways;
}

// The example of scipy.stats.mannwhitneyu.
const Values kMales = {19, 22, 16, 29, 24};
const Values kFemales = {20, 11, 17, 12};

TEST(MannWhitney, TheExampleOfScipy) {
  const MannWhitney exact = MannWhitneyExact(kFemales, kMales);
  EXPECT_EQ(exact.u, 17);
  EXPECT_EQ(exact.mean, 10);
  EXPECT_DOUBLE_EQ(exact.p, 14.0 / 126);
  EXPECT_DOUBLE_EQ(MannWhitneyExact(kMales, kFemales).p, 14.0 / 126);
  EXPECT_NEAR(MannWhitneyNormal(kFemales, kMales).p, 0.11134688653314041, 1e-15);
}

// The example of wilcox.test in R, from Hollander and Wolfe: 0.1272 on one side.
TEST(MannWhitney, TheExampleOfR) {
  const Values x = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const Values y = {1.15, 0.88, 0.90, 0.74, 1.21};
  const MannWhitney test = MannWhitneyTest(y, x);
  EXPECT_EQ(test.u, 35);
  EXPECT_NEAR(test.p / 2, 0.1272, 5e-5);  // as many digits as are printed there
}

TEST(MannWhitney, ExactIsWhatEnumerationGives) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    Values a(2 + random() % 5), b(2 + random() % 5);
    // Of few values, so that there are ties.
    const unsigned values = trial % 2 == 0 ? 4 : 1000;
    for (Values* sample : {&a, &b})
      for (double& value : *sample) value = random() % values;
    const MannWhitney test = MannWhitneyExact(a, b);
    EXPECT_EQ(test.u, CountU(a, b));
    EXPECT_DOUBLE_EQ(test.p, EnumeratedP(a, b));
  }
}

TEST(MannWhitney, OneValueOnlyTellsNothing) {
  const Values many(40, 3.0), few(9, 3.0);
  EXPECT_EQ(MannWhitneyTest(few, few).p, 1);
  EXPECT_EQ(MannWhitneyTest(many, many).p, 1);
}

// p has steps, of both tails of one u: no smooth function comes nearer than half of the
// largest of them, which without ties is 2 / (deviation * sqrt(2 pi)).
TEST(MannWhitney, NormalIsNearExactWhereItTakesOver) {
  std::mt19937 random(11);
  const size_t half = kLargestExactTest / 2;
  const double deviation = std::sqrt(half * half * (2 * half + 1) / 12.0);
  const double half_step = 1 / (deviation * std::sqrt(2 * M_PI));
  for (int trial = 0; trial < 40; ++trial) {
    Values a(half), b(half);
    const unsigned values = trial % 2 == 0 ? 12 : 100000;
    for (double& value : a) value = random() % values;
    for (double& value : b) value = random() % values + (trial % 5) * values / 20;
    EXPECT_NEAR(MannWhitneyNormal(a, b).p, MannWhitneyExact(a, b).p, half_step);
  }
}

// Tables of the test give 17 for 9 and 9 at 5 %, two-sided, as the largest u rejected.
TEST(CriticalU, IsThatOfTheTables) {
  EXPECT_EQ(CriticalU(9, 9, 0.025), 18u);
  EXPECT_EQ(CriticalU(10, 10, 0.025), 24u);
  EXPECT_EQ(CriticalU(5, 4, 0.025), 2u);
  EXPECT_EQ(CriticalU(3, 3, 0.025), 0u);
}

TEST(CriticalU, NormalIsNearExact) {
  const size_t half = kLargestExactTest / 2;
  const auto exact = static_cast<double>(CriticalU(half, half, 0.025));
  const auto beyond = static_cast<double>(CriticalU(half, half + 1, 0.025));
  // A value more adds as much as it does below the limit.
  const auto below = static_cast<double>(CriticalU(half - 1, half, 0.025));
  EXPECT_NEAR(beyond - exact, exact - below, 2);
}

TEST(RatioInterval, HoldsTheRatiosThatTheTestDoesNotReject) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 20; ++trial) {
    Values before(9 + random() % 4), after(9 + random() % 4);
    for (Values* sample : {&before, &after})
      for (double& value : *sample) value = 100 + (random() % 100000) / 1000.0;
    const RatioInterval interval = IntervalOfRatio(before, after, 0.05);
    EXPECT_LT(interval.low, interval.middle);
    EXPECT_LT(interval.middle, interval.high);
    const auto p_at = [&](double factor) {
      Values scaled = before;
      for (double& value : scaled) value *= factor;
      return MannWhitneyExact(scaled, after).p;
    };
    EXPECT_LE(p_at(interval.low * 0.9999), 0.05);
    EXPECT_GT(p_at(interval.low * 1.0001), 0.05);
    EXPECT_GT(p_at(interval.high * 0.9999), 0.05);
    EXPECT_LE(p_at(interval.high * 1.0001), 0.05);
  }
}

TEST(RatioInterval, SmallSamplesTellNothing) {
  const Values before = {1, 2, 3}, after = {2, 4, 6};
  const RatioInterval interval = IntervalOfRatio(before, after, 0.05);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.middle, 2);
  EXPECT_TRUE(std::isinf(interval.high));
}

}  // namespace
}  // namespace qconform::bench
