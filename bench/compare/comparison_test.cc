// Pairs of files in testdata, and what is said of them: the comparisons that compare.py
// once got wrong (google/benchmark#677, #678, #617, #1648; case QB72).
#include "bench/compare/comparison.h"

#include <gtest/gtest.h>

#include "bench/compare/comparison_text.h"
#include "bench/compare/machines.h"

namespace qconform::bench {
namespace {

SampleFile Read(const std::string& name) {
  return ReadSampleFile(
      std::string(QCONFORM_SOURCE_DIR) + "/bench/compare/testdata/" + name + ".json",
      TimeField::kReal);
}

BenchmarkComparison ComparePair(const std::string& name) {
  return CompareBenchmarks(Read(name + ".old"), Read(name + ".new"));
}

const BenchmarkChange& Change(const BenchmarkComparison& comparison,
                              const std::string& name) {
  for (const BenchmarkChange& change : comparison.changes)
    if (change.name == name) return change;
  throw std::out_of_range(name);
}

TEST(Comparison, MedianAgainstMedian) {
  const BenchmarkComparison comparison = ComparePair("median");
  const BenchmarkChange& sum = Change(comparison, "sum");
  EXPECT_EQ(sum.old_median, 10);
  EXPECT_EQ(sum.new_median, 20);
  EXPECT_EQ(sum.median_ratio(), 2);
  EXPECT_EQ(sum.verdict, ChangeVerdict::kNotReliable);
  EXPECT_EQ(ComparisonText(comparison),
            "sum      10 ns ->     20 ns  x2.000  +100.0 %  not reliable: 3 and 3 "
            "repetitions, 9 needed\n"
            "0 slower, 0 faster, 0 same, 1 not reliable, 0 errors, 0 in one file only\n");
}

TEST(Comparison, RepetitionsNeedNotBeAsMany) {
  const BenchmarkComparison comparison = ComparePair("counts");
  const BenchmarkChange& sum = Change(comparison, "sum");
  EXPECT_EQ(sum.old_median, 101);
  EXPECT_EQ(sum.new_median, 104);
  EXPECT_EQ(sum.verdict, ChangeVerdict::kNotReliable);
  const BenchmarkChange& product = Change(comparison, "product");
  EXPECT_EQ(product.old_repetitions, 9u);
  EXPECT_EQ(product.new_repetitions, 12u);
  EXPECT_EQ(product.verdict, ChangeVerdict::kSame);
}

TEST(Comparison, UnitsAreConverted) {
  const BenchmarkComparison comparison = ComparePair("units");
  EXPECT_NEAR(Change(comparison, "sum").median_ratio(), 1, 1e-12);
  EXPECT_EQ(Change(comparison, "sum").verdict, ChangeVerdict::kSame);
  const BenchmarkChange& slow = Change(comparison, "slow");
  EXPECT_EQ(slow.verdict, ChangeVerdict::kSlower);
  EXPECT_NEAR(slow.median_ratio(), 124.0 / 104, 1e-12);
  // Nothing overlaps: two of all ways to deal 18 values out.
  EXPECT_DOUBLE_EQ(slow.p, 2.0 / 48620);
  EXPECT_NE(
      ComparisonText(comparison)
          .find("slow     104 ns ->    124 ns  x1.192   +19.2 %  [+16.0 %, +22.5 %]  p "
                "4.1e-05  SLOWER\n"),
      std::string::npos)
      << ComparisonText(comparison);
}

TEST(Comparison, TwoRepetitionsAreNotReliable) {
  const BenchmarkComparison comparison = ComparePair("two");
  EXPECT_EQ(Change(comparison, "sum").verdict, ChangeVerdict::kNotReliable);
  EXPECT_EQ(comparison.tested(), 0u);
}

TEST(Comparison, NamesOfOneSideAreListed) {
  const BenchmarkComparison comparison = ComparePair("names");
  EXPECT_EQ(comparison.only_old, std::vector<std::string>{"gone"});
  EXPECT_EQ(comparison.only_new, std::vector<std::string>{"added"});
  EXPECT_EQ(Change(comparison, "both").verdict, ChangeVerdict::kFaster);
  const std::string text = ComparisonText(comparison);
  EXPECT_NE(text.find("only in old: gone\nonly in new: added\n"), std::string::npos);
  EXPECT_NE(text.find("0 slower, 1 faster, 0 same, 0 not reliable, 0 errors, "
                      "2 in one file only\n"),
            std::string::npos);
}

// Their aggregates differ by a factor of 900, and are no samples.
TEST(Comparison, ErrorsAreNeverCompared) {
  const BenchmarkComparison comparison = ComparePair("errors");
  EXPECT_EQ(Change(comparison, "wrong").verdict, ChangeVerdict::kError);
  EXPECT_EQ(Change(comparison, "sum").verdict, ChangeVerdict::kSame);
  EXPECT_EQ(Change(comparison, "sum").old_repetitions, 9u);
  EXPECT_EQ(comparison.tested(), 1u);
  EXPECT_NE(ComparisonText(comparison).find("wrong  error in new: wrong output\n"),
            std::string::npos);
}

TEST(Comparison, UnlikeMachinesAreNamed) {
  const MachineComparison machines =
      CompareMachines(Read("machine.old"), Read("machine.new"));
  EXPECT_EQ(machines.unlike, std::vector<std::string>{"cpu_cores 2 and 8"});
  EXPECT_EQ(machines.alike.size(), 5u);
  EXPECT_TRUE(CompareMachines(Read("median.old"), Read("median.new")).unlike.empty());
}

SampleFile FileOf(const std::vector<std::vector<double>>& samples) {
  SampleFile file;
  for (size_t i = 0; i < samples.size(); ++i)
    file.benchmarks[std::to_string(i)].nanoseconds = samples[i];
  return file;
}

// p of 0.024 alone is a change; of one in three benchmarks it is not.
TEST(Comparison, ManyBenchmarksNeedMoreEvidence) {
  std::vector<double> before, after;
  for (int i = 0; i < 9; ++i) {
    before.push_back(100 + 2 * i);
    after.push_back(106.1 + 2 * i);
  }
  const BenchmarkComparison alone = CompareBenchmarks(FileOf({before}), FileOf({after}));
  EXPECT_LE(alone.changes[0].p, 0.05);
  EXPECT_GT(alone.changes[0].p, 0.05 / 3);
  EXPECT_EQ(alone.changes[0].verdict, ChangeVerdict::kSlower);
  const BenchmarkComparison among = CompareBenchmarks(FileOf({before, before, before}),
                                                      FileOf({after, before, before}));
  EXPECT_EQ(among.changes[0].p, alone.changes[0].p);
  EXPECT_EQ(among.changes[0].verdict, ChangeVerdict::kSame);
  // Holm's second step: the first is beyond doubt, so two are left.
  std::vector<double> far = before;
  for (double& value : far) value *= 2;
  const BenchmarkComparison second =
      CompareBenchmarks(FileOf({before, before}), FileOf({after, far}));
  EXPECT_EQ(second.changes[0].verdict, ChangeVerdict::kSlower);
  EXPECT_EQ(second.changes[1].verdict, ChangeVerdict::kSlower);
}

// What is said to be detectable is detected, and a little less is not.
TEST(Comparison, TheSmallestDetectableChange) {
  const std::vector<double> before = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
  const auto with_factor = [&](double factor) {
    std::vector<double> after = before;
    for (double& value : after) value *= factor;
    return CompareBenchmarks(FileOf({before}), FileOf({after})).changes[0];
  };
  const double growth = with_factor(1).detectable;
  EXPECT_GT(growth, 0);
  EXPECT_EQ(with_factor(1 + growth * 1.001).verdict, ChangeVerdict::kSlower);
  EXPECT_EQ(with_factor(1 + growth * 0.999).verdict, ChangeVerdict::kSame);
}

}  // namespace
}  // namespace qconform::bench
