#include "reference/observe/histogram_search.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "reference/numerics/cascade_sum.h"
#include "reference/observe/float_sequences.h"

namespace qconform {
namespace {

// The share of all values that one step gives up.
constexpr double kStep = 1e-5;

// density * integral of x^2 from begin to end.
float Norm(float begin, float end, float density) {
  return density * ((end * end * end - begin * begin * begin) / 3.0f);
}

float StepOf(float position, float step_width, float last) {
  return std::clamp(FloorDivide(position, step_width), 0.0f, last);
}

}  // namespace

double QuantizationError(std::span<const float> histogram, double bin_width,
                         int64_t start, int64_t end, int64_t code_count) {
  const double exact_step =
      bin_width * static_cast<double>(end - start + 1) / static_cast<double>(code_count);
  if (exact_step == 0.0) return 0.0;
  const auto width = static_cast<float>(bin_width);
  const auto step = static_cast<float>(exact_step);
  const auto half_step = static_cast<float>(exact_step / 2);
  const auto last = static_cast<float>(code_count - 1);
  std::vector<float> norms(histogram.size());
  for (size_t i = 0; i < histogram.size(); ++i) {
    const float begin = static_cast<float>(static_cast<int64_t>(i) - start) * width;
    const float finish = begin + width;
    const float first_step = StepOf(begin, step, last);
    const float last_step = StepOf(finish, step, last);
    const float density = histogram[i] / width;
    const float from_first = begin - (first_step + 0.5f) * step;
    const float to_last = finish - (last_step * step + half_step);
    float norm = Norm(from_first, half_step, density);
    norm += (last_step - first_step - 1.0f) * Norm(-half_step, half_step, density);
    norm += Norm(-half_step, to_last, density);
    norms[i] = norm;
  }
  return SumRow(norms.data(), static_cast<int64_t>(norms.size()));
}

ClippedRange SearchRange(std::span<const float> histogram, float min, float max,
                         int64_t code_count) {
  const auto bins = static_cast<int64_t>(histogram.size());
  const double bin_width =
      (static_cast<double>(max) - static_cast<double>(min)) / static_cast<double>(bins);
  const double total = SumRow(histogram.data(), bins);
  const std::vector<float> sums = CumulativeSum(histogram);
  double alpha = 0.0;
  double beta = 1.0;
  int64_t start = 0;
  int64_t end = bins - 1;
  double best = std::numeric_limits<double>::infinity();
  while (alpha < beta) {
    const double next_alpha = alpha + kStep;
    const double next_beta = beta - kStep;
    // torch compares float32 sums with a bound that it rounds to float32.
    const auto low = static_cast<float>(next_alpha * total);
    const auto high = static_cast<float>(next_beta * total);
    // The sums never fall, so both scans are binary searches inside [start, end].
    const int64_t left =
        std::lower_bound(sums.begin() + start, sums.begin() + end, low) - sums.begin();
    const int64_t right =
        std::upper_bound(sums.begin() + start + 1, sums.begin() + end + 1, high) -
        sums.begin() - 1;
    int64_t next_start = start;
    int64_t next_end = end;
    if (left - start > end - right) {
      next_start = left;
      alpha = next_alpha;
    } else {
      next_end = right;
      beta = next_beta;
    }
    if (next_start == start && next_end == end) continue;
    const double error =
        QuantizationError(histogram, bin_width, next_start, next_end, code_count);
    if (error > best) break;
    best = error;
    start = next_start;
    end = next_end;
  }
  const float width = (max - min) / static_cast<float>(bins);
  return {min + width * static_cast<float>(start),
          min + width * static_cast<float>(end + 1)};
}

}  // namespace qconform
