// Which part of a histogram to quantize: the ends are clipped greedily as long as
// the quantization error of the whole shrinks.
#ifndef QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_SEARCH_H_
#define QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_SEARCH_H_

#include <cstdint>
#include <span>

namespace qconform {

struct ClippedRange {
  float min;
  float max;
};

// `histogram` covers [min, max]; `code_count` is 2^bits of the dtype, whatever the
// bounds of the codes. (HistogramObserver._non_linear_param_search)
ClippedRange SearchRange(std::span<const float> histogram, float min, float max,
                         int64_t code_count);

// The squared error, integrated over the histogram, of quantizing bins
// [start, end] to `code_count` equal steps; what lies outside goes to the end steps.
// `bin_width` is in double as torch holds it, the sums are float32.
// (HistogramObserver._compute_quantization_error)
double QuantizationError(std::span<const float> histogram, double bin_width,
                         int64_t start, int64_t end, int64_t code_count);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_SEARCH_H_
