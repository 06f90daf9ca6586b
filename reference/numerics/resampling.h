// Where the elements of a resized axis come from: torch's positions, in float32.
#ifndef QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_
#define QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_

#include <cmath>
#include <cstdint>
#include <vector>

namespace qconform {

// One axis; both sizes are at least 1.
struct ResizedAxis {
  int64_t size = 1;
  int64_t target = 1;
  double factor = 0.0;  // 0: target / size
};

// The size of the result where only a factor is given: floor(size * factor).
int64_t ResizedSize(int64_t size, double factor);

// By result index i: floor(i * scale), with `exact` floor((i + 0.5) * scale). (torch's
// kernel for small float images drops the scale where target is size or 2 * size; its
// others and the quantized one do not.)
std::vector<int64_t> NearestSources(const ResizedAxis& axis, bool exact = false);

// result = below * source[low] + above * source[high], with the fused multiply-adds of
// torch's kernel. Axis after axis, the innermost first, this is to the bit what torch
// computes, except for 2-d images whose sizes add up to at most 128: there its order
// depends on channels and memory format. An axis that keeps its size is copied whatever
// the factor.
struct LinearSource {
  int64_t low;
  int64_t high;
  float below;
  float above;

  float Between(float at_low, float at_high) const {
    return std::fma(below, at_low, above * at_high);
  }
};
std::vector<LinearSource> LinearSources(const ResizedAxis& axis, bool align_corners);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_
