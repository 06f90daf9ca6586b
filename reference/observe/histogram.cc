#include "reference/observe/histogram.h"

#include <algorithm>
#include <cmath>

#include "reference/ir/error.h"
#include "reference/observe/float_sequences.h"

namespace qconform {
namespace {

constexpr int64_t kParts = 16;
constexpr int64_t kParallelElements = 1 << 15;

void CountInto(std::span<const float> values, float min, float max,
               std::vector<int64_t>& counts) {
  const auto bins = static_cast<int64_t>(counts.size());
  const auto scale = static_cast<float>(bins);
  const float width = max - min;
  for (const float x : values) {
    if (!(x >= min && x <= max)) continue;
    const auto bin = static_cast<int64_t>((x - min) * scale / width);
    ++counts[static_cast<size_t>(std::min(bin, bins - 1))];
  }
}

}  // namespace

std::vector<float> CountHistogram(std::span<const float> values, int64_t bins, float min,
                                  float max) {
  if (!std::isfinite(min) || !std::isfinite(max)) {
    throw PipelineError("RuntimeError", "the range of a histogram is not finite");
  }
  if (min == max) {
    min -= 1.0f;
    max += 1.0f;
  }
  std::vector<int64_t> counts(static_cast<size_t>(bins));
  const auto n = static_cast<int64_t>(values.size());
  // Integer counts add up to the same in any order.
#pragma omp parallel if (n > kParallelElements)
  {
    std::vector<int64_t> own(static_cast<size_t>(bins));
#pragma omp for nowait
    for (int64_t begin = 0; begin < n; begin += kParallelElements) {
      const int64_t length = std::min(kParallelElements, n - begin);
      CountInto(values.subspan(static_cast<size_t>(begin), static_cast<size_t>(length)),
                min, max, own);
    }
#pragma omp critical(qconform_histogram)
    for (size_t i = 0; i < own.size(); ++i) counts[i] += own[i];
  }
  return {counts.begin(), counts.end()};
}

std::vector<float> WidenHistogram(std::span<const float> histogram, float old_min,
                                  float old_max, float new_min, float new_max) {
  const auto bins = static_cast<int64_t>(histogram.size());
  const std::vector<float> begins = LinearSequence(old_min, old_max, bins * kParts + 1);
  const float half_part =
      0.5f * ((old_max - old_min) / static_cast<float>(bins * kParts));
  const std::vector<float> boundaries = LinearSequence(new_min, new_max, bins + 1);
  std::vector<float> widened(histogram.size());
  for (int64_t part = 0; part < bins * kParts; ++part) {
    const float middle = begins[static_cast<size_t>(part)] + half_part;
    const auto above = std::upper_bound(boundaries.begin(), boundaries.end(), middle);
    const int64_t bin = std::clamp<int64_t>(above - boundaries.begin() - 1, 0, bins - 1);
    widened[static_cast<size_t>(bin)] +=
        histogram[static_cast<size_t>(part / kParts)] / static_cast<float>(kParts);
  }
  return widened;
}

}  // namespace qconform
