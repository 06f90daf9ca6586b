// How often a run is called slower or faster than itself: its repetitions are dealt out
// anew between "old" and "new", so that whatever is called is a false alarm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "bench/compare/comparison.h"

namespace qconform::bench {
namespace {

constexpr int kShuffles = 1000;

// The number of alarms that a rule with a probability of at most kFamilyWiseAlpha in each
// of kShuffles independent shuffles exceeds once in a million seeds: the quantile of the
// binomial distribution, summed up from its definition.
int LargestPlausibleCount() {
  constexpr double kSeedsThatMayFail = 1e-6;
  double below = 0;
  for (int count = 0;; ++count) {
    const double log_probability =
        std::lgamma(kShuffles + 1.0) - std::lgamma(count + 1.0) -
        std::lgamma(kShuffles - count + 1.0) + count * std::log(kFamilyWiseAlpha) +
        (kShuffles - count) * std::log1p(-kFamilyWiseAlpha);
    below += std::exp(log_probability);
    if (1 - below <= kSeedsThatMayFail) return count;
  }
}

// A repetition: mostly near 100, sometimes disturbed by other work, with a clock's steps.
double Repetition(std::mt19937& random) {
  std::lognormal_distribution<double> noise(0, 0.02);
  const double disturbed = random() % 8 == 0 ? 1.3 : 1;
  return std::round(1000 * noise(random) * disturbed) / 10;
}

struct Alarms {
  int any = 0;
  int slower = 0;
};

Alarms CountAlarms(size_t benchmarks, size_t old_count, size_t new_count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<double>> pools(benchmarks);
  for (auto& pool : pools)
    for (size_t i = 0; i < old_count + new_count; ++i) pool.push_back(Repetition(random));
  Alarms alarms;
  for (int shuffle = 0; shuffle < kShuffles; ++shuffle) {
    SampleFile old_file, new_file;
    for (size_t i = 0; i < benchmarks; ++i) {
      std::shuffle(pools[i].begin(), pools[i].end(), random);
      const auto middle = pools[i].begin() + static_cast<std::ptrdiff_t>(old_count);
      const std::string name = std::to_string(i);
      old_file.benchmarks[name].nanoseconds = {pools[i].begin(), middle};
      new_file.benchmarks[name].nanoseconds = {middle, pools[i].end()};
    }
    const BenchmarkComparison comparison = CompareBenchmarks(old_file, new_file);
    const size_t slower = comparison.Count(ChangeVerdict::kSlower);
    alarms.slower += slower > 0 ? 1 : 0;
    alarms.any += slower + comparison.Count(ChangeVerdict::kFaster) > 0 ? 1 : 0;
  }
  return alarms;
}

TEST(FalseAlarm, TheBoundIsWhatItsReasonSays) {
  // 50 are expected; the deviation is sqrt(1000 * 0.05 * 0.95) = 6.9.
  EXPECT_GT(LargestPlausibleCount(), 50 + 4 * 6.9);
  EXPECT_LT(LargestPlausibleCount(), 50 + 6 * 6.9);
}

TEST(FalseAlarm, OfOneBenchmark) {
  const Alarms alarms = CountAlarms(1, 10, 10, 1);
  EXPECT_LE(alarms.any, LargestPlausibleCount());
  EXPECT_LE(alarms.slower, alarms.any);
  // A rule that never calls anything would pass as well.
  EXPECT_GT(alarms.any, 0);
}

TEST(FalseAlarm, OfUnequalCounts) {
  EXPECT_LE(CountAlarms(1, 9, 25, 2).any, LargestPlausibleCount());
}

TEST(FalseAlarm, OfTheNormalApproximation) {
  EXPECT_LE(CountAlarms(1, 40, 40, 3).any, LargestPlausibleCount());
}

TEST(FalseAlarm, OfAWholeSuite) {
  EXPECT_LE(CountAlarms(20, 9, 9, 4).any, LargestPlausibleCount());
}

}  // namespace
}  // namespace qconform::bench
