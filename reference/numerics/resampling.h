// Where the elements of a resized axis come from: torch's positions, in float32.
#ifndef QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_
#define QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_

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

// result = below * source[low] + above * source[high]
struct LinearSource {
  int64_t low;
  int64_t high;
  float below;
  float above;
};

// By result index; an axis that keeps its size has weights 1 and 0.
std::vector<LinearSource> LinearSources(const ResizedAxis& axis, bool align_corners);

// Whether ResizeLinearly takes the four elements at once, below.
bool IsSmallPlane(const std::vector<ResizedAxis>& axes);

// [planes, one size an axis] -> [planes, one target an axis], linearly between the two
// nearest elements along every axis; an axis that keeps its size is copied whatever the
// factor. Fused multiply-adds in the order of torch's kernels: axis after axis, the
// innermost first; for 2-d results whose sizes add up to 128 or less, the four elements
// by the products of their weights. (For small images of many channels torch's order
// depends on the machine's vectors and is not followed.)
void ResizeLinearly(const float* x, int64_t planes, const std::vector<ResizedAxis>& axes,
                    bool align_corners, float* out);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_RESAMPLING_H_
