// Two benchmark files, name by name: distribution against distribution.
#ifndef QCONFORM_BENCH_COMPARE_COMPARISON_H_
#define QCONFORM_BENCH_COMPARE_COMPARISON_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compare/benchmark_samples.h"
#include "bench/compare/ratio_interval.h"

namespace qconform::bench {

// The probability that any benchmark at all is called slower or faster although nothing
// changed. Times of benchmarks may depend on each other: Holm's rule needs no more.
inline constexpr double kFamilyWiseAlpha = 0.05;

// Fewer repetitions tell too little; Google Benchmark's compare.py says so too.
inline constexpr size_t kFewestRepetitions = 9;

enum class ChangeVerdict { kSame, kSlower, kFaster, kNotReliable, kError };

// "same" (no change is confirmed), "SLOWER", "faster", "not reliable", "error".
std::string_view ChangeVerdictName(ChangeVerdict verdict);

struct BenchmarkChange {
  std::string name;
  ChangeVerdict verdict = ChangeVerdict::kNotReliable;
  size_t old_repetitions = 0;
  size_t new_repetitions = 0;
  double old_median = 0;  // nanoseconds
  double new_median = 0;
  // Only where there are repetitions enough: the test's p, and the ratio's interval at
  // 95 % for this benchmark alone.
  double p = 1;
  RatioInterval ratio;
  // The smallest growth, 0.02 for 2 %, that would have been called slower though every
  // other benchmark stood still; infinite if none would have been.
  double detectable = 0;
  std::string error;  // "in new: wrong output"

  double median_ratio() const { return new_median / old_median; }
  bool tested() const {
    return verdict == ChangeVerdict::kSame || verdict == ChangeVerdict::kSlower ||
           verdict == ChangeVerdict::kFaster;
  }
};

struct BenchmarkComparison {
  std::vector<BenchmarkChange> changes;  // of names in both, sorted
  std::vector<std::string> only_old;
  std::vector<std::string> only_new;

  size_t Count(ChangeVerdict verdict) const;
  size_t tested() const;
};

BenchmarkComparison CompareBenchmarks(const SampleFile& old_file,
                                      const SampleFile& new_file);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_COMPARISON_H_
