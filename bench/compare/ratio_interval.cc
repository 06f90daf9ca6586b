#include "bench/compare/ratio_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/compare/mann_whitney.h"

namespace qconform::bench {
namespace {

std::vector<double> Sorted(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// How many of the ratios new / old are at most `ratio`; both sorted.
size_t CountUpTo(const std::vector<double>& old_values,
                 const std::vector<double>& new_values, double ratio) {
  size_t count = 0, below = 0;
  for (const double value : old_values) {
    while (below < new_values.size() && new_values[below] / value <= ratio) ++below;
    count += below;
  }
  return count;
}

// The k-th smallest ratio, from 1. Not by writing them all down: two files with 10^5
// repetitions have 10^10.
double KthRatio(const std::vector<double>& old_values,
                const std::vector<double>& new_values, size_t k) {
  double low = std::nextafter(new_values.front() / old_values.back(), 0.0);
  double high = new_values.back() / old_values.front();
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (CountUpTo(old_values, new_values, middle) >= k ? high : low) = middle;
  }
}

}  // namespace

double Median(std::span<const double> values) {
  const std::vector<double> sorted = Sorted(values);
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

RatioInterval IntervalOfRatio(std::span<const double> old_values,
                              std::span<const double> new_values, double alpha) {
  const std::vector<double> old_sorted = Sorted(old_values);
  const std::vector<double> new_sorted = Sorted(new_values);
  const size_t pairs = old_sorted.size() * new_sorted.size();
  const auto kth = [&](size_t k) { return KthRatio(old_sorted, new_sorted, k); };
  RatioInterval interval;
  interval.middle = (kth((pairs + 1) / 2) + kth(pairs / 2 + 1)) / 2;
  const size_t outside = CriticalU(old_sorted.size(), new_sorted.size(), alpha / 2);
  interval.low = outside == 0 ? 0 : kth(outside);
  interval.high =
      outside == 0 ? std::numeric_limits<double>::infinity() : kth(pairs + 1 - outside);
  return interval;
}

}  // namespace qconform::bench
