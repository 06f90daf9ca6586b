// A histogram of float32 values over equal bins, and its move to a wider range.
#ifndef QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_H_
#define QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_H_

#include <cstdint>
#include <span>
#include <vector>

namespace qconform {

// Counts values by bin = int((x - min) * bins / (max - min)) in float32; x == max
// falls into the last bin, what lies outside into none. min == max counts over
// [min - 1, max + 1]. Throws PipelineError("RuntimeError") for a range that is not
// finite. Counts are exact up to 2^24. (torch.histc)
std::vector<float> CountHistogram(std::span<const float> values, int64_t bins, float min,
                                  float max);

// The old histogram over [old_min, old_max] redistributed over [new_min, new_max],
// which contains it: each bin is split into 16 equal parts, and each part goes to the
// bin that its middle lies in. (HistogramObserver._upscale_histogram)
std::vector<float> WidenHistogram(std::span<const float> histogram, float old_min,
                                  float old_max, float new_min, float new_max);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_H_
