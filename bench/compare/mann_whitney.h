// The Mann-Whitney U test: do two samples come from one distribution, by ranks alone.
// Mann and Whitney, "On a test of whether one of two random variables is stochastically
// larger than the other", 1947.
#ifndef QCONFORM_BENCH_COMPARE_MANN_WHITNEY_H_
#define QCONFORM_BENCH_COMPARE_MANN_WHITNEY_H_

#include <cstddef>
#include <span>

namespace qconform::bench {

// Up to this many values of both samples together, p counts every way to deal the values
// out. Beyond, it is the normal approximation, which errs by less than p's steps there.
inline constexpr size_t kLargestExactTest = 60;

struct MannWhitney {
  double u = 0;     // pairs in which `b` is larger; a tie is half a pair
  double mean = 0;  // of u, if both come from one distribution
  double p = 1;     // two-sided: of a u at least as far from the mean
};

// Ties get the mean of their ranks, in the counting as well as in the variance of the
// approximation, which is corrected for continuity. Both samples must hold a value.
MannWhitney MannWhitneyTest(std::span<const double> a, std::span<const double> b);
MannWhitney MannWhitneyExact(std::span<const double> a, std::span<const double> b);
MannWhitney MannWhitneyNormal(std::span<const double> a, std::span<const double> b);

// The largest c for which u < c has no more probability than `tail`, without ties, of
// samples of these sizes; 0 if there is none.
size_t CriticalU(size_t a, size_t b, double tail);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_MANN_WHITNEY_H_
