#include "reference/observe/histogram.h"

#include <algorithm>
#include <cmath>

#include "reference/ir/error.h"
#include "reference/numerics/fixed_chunks.h"
#include "reference/numerics/vector_lanes.h"
#include "reference/observe/float_sequences.h"

namespace qconform {
namespace {

constexpr int64_t kParts = 16;

// The bin of every value, `bins` for what lies outside of [min, max].
QCONFORM_INLINE void FindBinsBody(const float* x, int64_t n, float min, float max,
                                  int32_t bins, int32_t* bin) {
  const auto scale = static_cast<float>(bins);
  const auto last = static_cast<float>(bins - 1);
  const float width = max - min;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const FloatLanes value = LoadLanes(x + i);
    const IntegerLanes inside = (value >= min) & (value <= max);
    FloatLanes place = (value - min) * scale / width;
    place = place > 0.0f ? place : FloatLanes{};
    place = place < last ? place : FloatLanes{} + last;
    const IntegerLanes found =
        inside ? __builtin_convertvector(place, IntegerLanes) : IntegerLanes{} + bins;
    std::memcpy(bin + i, &found, sizeof found);
  }
  for (; i < n; ++i) {
    const bool inside = x[i] >= min && x[i] <= max;
    float place = (x[i] - min) * scale / width;
    place = place > 0.0f ? place : 0.0f;
    place = place < last ? place : last;
    bin[i] = inside ? static_cast<int32_t>(place) : bins;
  }
}

QCONFORM_TWO_PATHS(FindBins, FindBinsBody,
                   (const float* x, int64_t n, float min, float max, int32_t bins,
                    int32_t* bin),
                   (x, n, min, max, bins, bin))

// Counts of one thread: four tables take turns, so that equal neighbours do not wait for
// each other. The last entry of each holds what lies outside.
class BinCounter {
 public:
  explicit BinCounter(int64_t bins)
      : bins_(static_cast<int32_t>(bins)),
        tables_(kTables * (static_cast<size_t>(bins) + 1)) {}

  void Count(const float* x, int64_t n, float min, float max) {
    constexpr int64_t kBlock = 1024;
    int32_t bin[kBlock];
    const size_t size = static_cast<size_t>(bins_) + 1;
    uint32_t* tables[kTables];
    for (int k = 0; k < kTables; ++k) tables[k] = tables_.data() + k * size;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t length = std::min(kBlock, n - begin);
      FindBins(x + begin, length, min, max, bins_, bin);
      int64_t i = 0;
      for (; i + kTables <= length; i += kTables) {
        for (int k = 0; k < kTables; ++k) ++tables[k][bin[i + k]];
      }
      for (; i < length; ++i) ++tables[0][bin[i]];
    }
  }

  void AddTo(std::vector<int64_t>& counts) const {
    for (int k = 0; k < kTables; ++k) {
      const uint32_t* table = tables_.data() + k * (counts.size() + 1);
      for (size_t i = 0; i < counts.size(); ++i) counts[i] += table[i];
    }
  }

 private:
  static constexpr int kTables = 4;
  int32_t bins_;
  std::vector<uint32_t> tables_;
};

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
  if (min == max) {
    // Too coarse for a wider range: torch puts the one value into the middle.
    std::vector<float> counted(static_cast<size_t>(bins));
    counted[static_cast<size_t>(bins / 2)] =
        static_cast<float>(std::count(values.begin(), values.end(), min));
    return counted;
  }
  std::vector<int64_t> counts(static_cast<size_t>(bins));
  const auto n = static_cast<int64_t>(values.size());
  // Integer counts add up to the same in any order. So many values cannot overflow 32
  // bits.
  constexpr int64_t kPart = int64_t{1} << 21;
  ForEachIndex((n + kPart - 1) / kPart, n, [&](int64_t part) {
    BinCounter counter(bins);
    const int64_t begin = part * kPart;
    counter.Count(values.data() + begin, std::min(kPart, n - begin), min, max);
#pragma omp critical(qconform_histogram)
    counter.AddTo(counts);
  });
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
