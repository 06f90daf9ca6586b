// How many times larger the values of one sample are than those of another.
#ifndef QCONFORM_BENCH_COMPARE_RATIO_INTERVAL_H_
#define QCONFORM_BENCH_COMPARE_RATIO_INTERVAL_H_

#include <span>

namespace qconform::bench {

// Of no sample without a value; mean of the middle two of an even count.
double Median(std::span<const double> values);

struct RatioInterval {
  double low = 0;     // 0 and infinity if the samples are too small to tell
  double middle = 1;  // the median of all ratios of a new value to an old one
  double high = 0;
};

// The factors by which `old_values` can be multiplied without a Mann-Whitney test at
// `alpha` telling them from `new_values`: the Hodges-Lehmann interval, of ratios instead
// of differences. Values are above 0.
RatioInterval IntervalOfRatio(std::span<const double> old_values,
                              std::span<const double> new_values, double alpha);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_RATIO_INTERVAL_H_
