#include "bench/compare/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace qconform::bench {
namespace {

// Twice the mean rank of every value, which is a whole number, and the sizes of ties.
struct Ranks {
  std::vector<size_t> doubled;  // of a's values, then of b's
  double tie_cubes = 0;         // sum of t^3 - t
};

Ranks RankTogether(std::span<const double> a, std::span<const double> b) {
  std::vector<double> values(a.begin(), a.end());
  values.insert(values.end(), b.begin(), b.end());
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t i, size_t j) { return values[i] < values[j]; });
  Ranks ranks;
  ranks.doubled.resize(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    // Ranks first + 1 to end.
    for (size_t i = first; i < end; ++i) ranks.doubled[order[i]] = first + 1 + end;
    const auto ties = static_cast<double>(end - first);
    ranks.tie_cubes += ties * ties * ties - ties;
    first = end;
  }
  return ranks;
}

// How many choices of `chosen` of these ranks have which sum. Beyond 2^53 the counts are
// rounded, to 1e-16 of their size.
std::vector<double> CountSums(std::span<const size_t> doubled, size_t chosen) {
  const size_t largest = std::accumulate(doubled.begin(), doubled.end(), size_t{0});
  std::vector<std::vector<double>> counts(chosen + 1,
                                          std::vector<double>(largest + 1, 0.0));
  counts[0][0] = 1;
  for (size_t i = 0; i < doubled.size(); ++i) {
    for (size_t taken = std::min(chosen, i + 1); taken > 0; --taken)
      for (size_t sum = largest; sum >= doubled[i]; --sum)
        counts[taken][sum] += counts[taken - 1][sum - doubled[i]];
  }
  return std::move(counts[chosen]);
}

double Total(std::span<const double> counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double NormalTail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

MannWhitney WithoutP(const Ranks& ranks, size_t a, size_t b) {
  const auto first_of_b = ranks.doubled.begin() + static_cast<std::ptrdiff_t>(a);
  const double sum = 0.5 * static_cast<double>(std::accumulate(
                               first_of_b, ranks.doubled.end(), size_t{0}));
  const auto m = static_cast<double>(a), n = static_cast<double>(b);
  return {sum - n * (n + 1) / 2, m * n / 2, 1};
}

double Deviation(double a, double b, double tie_cubes) {
  const double all = a + b;
  return std::sqrt(a * b / 12 * (all + 1 - tie_cubes / (all * (all - 1))));
}

}  // namespace

MannWhitney MannWhitneyExact(std::span<const double> a, std::span<const double> b) {
  const Ranks ranks = RankTogether(a, b);
  MannWhitney test = WithoutP(ranks, a.size(), b.size());
  const std::vector<double> counts = CountSums(ranks.doubled, b.size());
  const auto n = static_cast<double>(b.size());
  // In halves, so that nothing is rounded.
  const double mean = 2 * test.mean + n * (n + 1);
  const double distance = std::abs(2 * test.u - 2 * test.mean);
  double as_far = 0;
  for (size_t sum = 0; sum < counts.size(); ++sum)
    if (std::abs(static_cast<double>(sum) - mean) >= distance) as_far += counts[sum];
  test.p = std::min(1.0, as_far / Total(counts));
  return test;
}

MannWhitney MannWhitneyNormal(std::span<const double> a, std::span<const double> b) {
  const Ranks ranks = RankTogether(a, b);
  MannWhitney test = WithoutP(ranks, a.size(), b.size());
  const double deviation = Deviation(static_cast<double>(a.size()),
                                     static_cast<double>(b.size()), ranks.tie_cubes);
  const double distance = std::abs(test.u - test.mean) - 0.5;
  // Without a deviation all values are one.
  if (deviation > 0) test.p = std::min(1.0, 2 * NormalTail(distance / deviation));
  return test;
}

MannWhitney MannWhitneyTest(std::span<const double> a, std::span<const double> b) {
  return a.size() + b.size() <= kLargestExactTest ? MannWhitneyExact(a, b)
                                                  : MannWhitneyNormal(a, b);
}

size_t CriticalU(size_t a, size_t b, double tail) {
  if (a + b > kLargestExactTest) {
    const auto m = static_cast<double>(a), n = static_cast<double>(b);
    const double deviation = Deviation(m, n, 0);
    // u < c is u <= c - 1; half a step is the continuity's.
    size_t low = 0, high = a * b / 2 + 1;
    while (high - low > 1) {
      const size_t c = low + (high - low) / 2;
      const double z = (m * n / 2 - (static_cast<double>(c) - 0.5)) / deviation;
      (NormalTail(z) <= tail ? low : high) = c;
    }
    return low;
  }
  std::vector<size_t> ranks(a + b);
  std::iota(ranks.begin(), ranks.end(), size_t{1});
  const std::vector<double> counts = CountSums(ranks, b);
  const double total = Total(counts);
  double below = 0;
  for (size_t c = 0;; ++c) {
    below += counts[b * (b + 1) / 2 + c];
    if (below > tail * total) return c;
  }
}

}  // namespace qconform::bench
