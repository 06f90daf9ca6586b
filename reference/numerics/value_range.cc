#include "reference/numerics/value_range.h"

#include <cmath>
#include <limits>

#include "reference/numerics/fixed_chunks.h"
#include "reference/numerics/vector_lanes.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr ValueRange kNothing = {kInfinity, -kInfinity};

void Widen(ValueRange& range, float min, float max) {
  // A NaN that was seen stays; a new one is taken.
  if (min < range.min || std::isnan(min)) range.min = min;
  if (max > range.max || std::isnan(max)) range.max = max;
}

void WidenChannel(ChannelRanges& ranges, int64_t channel, float min, float max) {
  const auto c = static_cast<size_t>(channel);
  ValueRange range = {ranges.min[c], ranges.max[c]};
  Widen(range, min, max);
  ranges.min[c] = range.min;
  ranges.max[c] = range.max;
}

QCONFORM_INLINE void RunRangeBody(const float* x, int64_t n, ValueRange* result) {
  ValueRange range = kNothing;
  bool has_nan = false;
  int64_t i = 0;
  if (n >= 4 * kLanes) {
    // Four vectors take turns: one alone would wait for itself.
    FloatLanes min[4];
    FloatLanes max[4];
    IntegerLanes nan[4];
    for (int k = 0; k < 4; ++k) {
      min[k] = max[k] = LoadLanes(x + k * kLanes);
      nan[k] = min[k] != min[k];
    }
    for (i = 4 * kLanes; i + 4 * kLanes <= n; i += 4 * kLanes) {
      for (int k = 0; k < 4; ++k) {
        const FloatLanes value = LoadLanes(x + i + k * kLanes);
        min[k] = Smaller(value, min[k]);
        max[k] = Larger(value, max[k]);
        nan[k] |= value != value;
      }
    }
    for (int k = 0; k < 4; ++k) {
      for (int lane = 0; lane < kLanes; ++lane) {
        range.min = min[k][lane] < range.min ? min[k][lane] : range.min;
        range.max = max[k][lane] > range.max ? max[k][lane] : range.max;
        has_nan = has_nan || nan[k][lane] != 0;
      }
    }
  }
  for (; i < n; ++i) {
    range.min = x[i] < range.min ? x[i] : range.min;
    range.max = x[i] > range.max ? x[i] : range.max;
    has_nan = has_nan || std::isnan(x[i]);
  }
  *result = has_nan ? ValueRange{kNaN, kNaN} : range;
}

QCONFORM_TWO_PATHS(RunRange, RunRangeBody,
                   (const float* x, int64_t n, ValueRange* result), (x, n, result))

// Column by column over `rows` rows that begin `step` values apart; min and max hold one
// value a column and go on from what they are. NaN is only noticed.
QCONFORM_INLINE void ColumnRangeBody(const float* x, int64_t rows, int64_t step,
                                     int64_t columns, float* min, float* max,
                                     bool* has_nan) {
  IntegerLanes nan = {};
  const int64_t vectors = columns / kLanes * kLanes;
  int64_t c = 0;
  int64_t row = 0;
  // Of long rows several at a time, so that the results are read and written less often.
  // Short ones stand beside each other, and the hardware fetches them in order.
  constexpr int kRows = 8;
  for (; columns < step && row + kRows <= rows; row += kRows) {
    const float* first = x + row * step;
    for (c = 0; c < vectors; c += kLanes) {
      FloatLanes low = LoadLanes(min + c);
      FloatLanes high = LoadLanes(max + c);
      for (int k = 0; k < kRows; ++k) {
        const FloatLanes value = LoadLanes(first + k * step + c);
        low = Smaller(value, low);
        high = Larger(value, high);
        nan |= value != value;
      }
      StoreLanes(min + c, low);
      StoreLanes(max + c, high);
    }
  }
  for (; row < rows; ++row) {
    const float* values = x + row * step;
    for (c = 0; c < vectors; c += kLanes) {
      const FloatLanes value = LoadLanes(values + c);
      StoreLanes(min + c, Smaller(value, LoadLanes(min + c)));
      StoreLanes(max + c, Larger(value, LoadLanes(max + c)));
      nan |= value != value;
    }
  }
  bool any = false;
  for (int lane = 0; lane < kLanes; ++lane) any = any || nan[lane] != 0;
  for (row = 0; row < rows; ++row) {
    for (c = vectors; c < columns; ++c) {
      const float value = x[row * step + c];
      min[c] = value < min[c] ? value : min[c];
      max[c] = value > max[c] ? value : max[c];
      any = any || std::isnan(value);
    }
  }
  *has_nan = any;
}

QCONFORM_TWO_PATHS(ColumnRange, ColumnRangeBody,
                   (const float* x, int64_t rows, int64_t step, int64_t columns,
                    float* min, float* max, bool* has_nan),
                   (x, rows, step, columns, min, max, has_nan))

// Every channel is one long run, or one in each of several rows.
void RangesOfRuns(const float* x, const ChannelLayout& layout, ChannelRanges& ranges) {
  const int64_t runs = layout.outer * layout.channels;
  std::vector<ValueRange> results(static_cast<size_t>(runs));
  ForEachIndex(runs, runs * layout.inner, [&](int64_t run) {
    RunRange(x + run * layout.inner, layout.inner, &results[static_cast<size_t>(run)]);
  });
  for (int64_t run = 0; run < runs; ++run) {
    const ValueRange& result = results[static_cast<size_t>(run)];
    WidenChannel(ranges, run % layout.channels, result.min, result.max);
  }
}

// Rows of channels * inner values, column by column; short rows several at a time.
void RangesOfColumns(const float* x, const ChannelLayout& layout, ChannelRanges& ranges) {
  const int64_t row = layout.channels * layout.inner;
  int64_t repeat = 1;
  while (repeat * row < 16 * kLanes && layout.outer % (2 * repeat) == 0) repeat *= 2;
  const int64_t columns = repeat * row;
  const int64_t rows = layout.outer / repeat;
  const int64_t rows_of_part = std::max<int64_t>(32, 4 * kChunkElements / columns);
  const int64_t parts = (rows + rows_of_part - 1) / rows_of_part;
  std::vector<ChannelRanges> results(static_cast<size_t>(parts));
  ForEachIndex(parts, rows * columns, [&](int64_t p) {
    const auto width = static_cast<size_t>(columns);
    ChannelRanges& part = results[static_cast<size_t>(p)];
    part = {std::vector<float>(width, kInfinity), std::vector<float>(width, -kInfinity)};
    const float* first = x + p * rows_of_part * columns;
    const int64_t count = std::min(rows_of_part, rows - p * rows_of_part);
    // So many columns that their results stay in the first cache.
    constexpr int64_t kTile = 1024;
    bool has_nan = false;
    for (int64_t c = 0; c < columns; c += kTile) {
      bool tile_has_nan = false;
      ColumnRange(first + c, count, columns, std::min(kTile, columns - c),
                  part.min.data() + c, part.max.data() + c, &tile_has_nan);
      has_nan = has_nan || tile_has_nan;
    }
    for (int64_t i = 0; has_nan && i < count * columns; ++i) {
      if (!std::isnan(first[i])) continue;
      const auto column = static_cast<size_t>(i % columns);
      part.min[column] = part.max[column] = kNaN;
    }
  });
  for (const ChannelRanges& part : results) {
    for (int64_t i = 0; i < columns; ++i) {
      const auto column = static_cast<size_t>(i);
      WidenChannel(ranges, i % row / layout.inner, part.min[column], part.max[column]);
    }
  }
}

}  // namespace

ValueRange MinMax(const Tensor& x) {
  const float* data = x.data<float>();
  const int64_t n = x.numel();
  if (n <= kParallelElements) {
    ValueRange range;
    RunRange(data, n, &range);
    return range;
  }
  std::vector<ValueRange> parts(static_cast<size_t>(ChunkCount(n)));
  ForEachChunk(n, [&](int64_t chunk, int64_t begin, int64_t end) {
    RunRange(data + begin, end - begin, &parts[static_cast<size_t>(chunk)]);
  });
  ValueRange range = kNothing;
  for (const ValueRange& part : parts) Widen(range, part.min, part.max);
  return range;
}

ChannelRanges ChannelMinMax(const Tensor& x, const ChannelLayout& layout) {
  // From so many elements on a run is worth its own reduction.
  constexpr int64_t kLongRun = 512;
  constexpr int64_t kLongRow = 1 << 16;
  const auto channels = static_cast<size_t>(layout.channels);
  ChannelRanges ranges{std::vector<float>(channels, kInfinity),
                       std::vector<float>(channels, -kInfinity)};
  const bool by_run = layout.outer == 1 || layout.inner >= kLongRun ||
                      layout.channels * layout.inner > kLongRow;
  (by_run ? RangesOfRuns : RangesOfColumns)(x.data<float>(), layout, ranges);
  return ranges;
}

}  // namespace qconform
