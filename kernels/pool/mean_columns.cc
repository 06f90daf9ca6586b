// Plain C++, since Halide has no sums that pass through levels: compiled once a path by
// the compiler's own vectorizer (attribute `target`), chosen at run time.
#include "kernels/pool/mean_columns.h"

#include <algorithm>
#include <array>

#include "kernels/requantize/float_lanes.h"
#include "kernels/requantize/real_code.h"

namespace qconform::kernels {
namespace {

constexpr int kRowLanes = 8;  // kSumLanes<float> of cascade_sum.h

// Sums of kWidth columns: one, or some lanes full.
template <typename L, int kWidth>
struct Sums {
  typename L::Floats of[kWidth / L::kCount] = {};
};
template <typename L>
struct Sums<L, 1> {
  float of = 0.0f;
};

// Adds element `at` of kWidth neighbouring columns.
template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline void Add(const MeanColumns& c, const RealInputParameters& p,
                                       int64_t at, Sums<L, kWidth>& sums) {
  const uint8_t* from = c.input + (c.offsets != nullptr ? c.offsets[at] : at * c.stride);
  if constexpr (kWidth == 1) {
    sums.of += RealOfByte(*from, p);
  } else {
    const int64_t stride = kDense ? 1 : c.column_stride;
    for (int i = 0; i < kWidth / L::kCount; ++i) {
      typename L::Floats lanes;
      ReadLanes<L>(from + L::kCount * i * stride, stride, p, lanes);
      sums.of[i] += lanes;
    }
  }
}

template <typename L, int kWidth>
[[gnu::always_inline]] inline void AddSums(const Sums<L, kWidth>& from,
                                           Sums<L, kWidth>& to) {
  if constexpr (kWidth == 1) {
    to.of += from.of;
  } else {
    for (int i = 0; i < kWidth / L::kCount; ++i) to.of[i] += from.of[i];
  }
}

// Elements first, first + step, ...: CascadeColumns.
template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline Sums<L, kWidth> Cascade(const MeanColumns& c,
                                                      const RealInputParameters& p,
                                                      int64_t first, int64_t step,
                                                      int64_t size) {
  constexpr int kLevels = 4;
  int64_t bits = 0;
  while ((int64_t{1} << bits) < size) ++bits;
  const int64_t power = std::max<int64_t>(4, bits / kLevels);
  const int64_t run = int64_t{1} << power;
  std::array<Sums<L, kWidth>, kLevels> higher{};
  int64_t row = 0;
  while (row + run <= size) {
    Sums<L, kWidth> sums{};
    for (int64_t i = 0; i < run; ++i, ++row)
      Add<L, kWidth, kDense>(c, p, first + row * step, sums);
    for (int level = 1; level < kLevels; ++level) {
      AddSums<L, kWidth>(sums, higher[level]);
      if ((row & ((run - 1) << (level * power))) != 0 || level + 1 == kLevels) break;
      sums = higher[level];
      higher[level] = {};
    }
  }
  Sums<L, kWidth> sums{};
  for (; row < size; ++row) Add<L, kWidth, kDense>(c, p, first + row * step, sums);
  if (size >= run)
    for (int level = 1; level < kLevels; ++level) AddSums<L, kWidth>(higher[level], sums);
  return sums;
}

// DealtSum.
template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline Sums<L, kWidth> Dealt(const MeanColumns& c,
                                                    const RealInputParameters& p,
                                                    int64_t first, int64_t step,
                                                    int64_t size) {
  const int64_t dealt = size / 4;
  Sums<L, kWidth> sums = Cascade<L, kWidth, kDense>(c, p, first, 4 * step, dealt);
  for (int64_t i = 4 * dealt; i < size; ++i)
    Add<L, kWidth, kDense>(c, p, first + i * step, sums);
  for (int k = 1; k < 4 && dealt > 0; ++k)
    AddSums<L, kWidth>(
        Cascade<L, kWidth, kDense>(c, p, first + k * step, 4 * step, dealt), sums);
  return sums;
}

// SumRow.
template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline Sums<L, kWidth> Row(const MeanColumns& c,
                                                  const RealInputParameters& p) {
  if (c.width < kRowLanes) return Dealt<L, kWidth, kDense>(c, p, 0, 1, c.width);
  const int64_t vectors = c.width / kRowLanes;
  Sums<L, kWidth> sums{};
  for (int64_t i = vectors * kRowLanes; i < c.width; ++i)
    Add<L, kWidth, kDense>(c, p, i, sums);
  for (int lane = 0; lane < kRowLanes; ++lane)
    AddSums<L, kWidth>(Dealt<L, kWidth, kDense>(c, p, lane, kRowLanes, vectors), sums);
  return sums;
}

// The same where the elements of one mean lie side by side: its lanes are a vector.
template <typename L>
[[gnu::always_inline]] inline Sums<L, 1> DenseRow(const MeanColumns& c,
                                                  const RealInputParameters& p) {
  const int64_t vectors = c.width / kRowLanes;
  MeanColumns lanes = c;
  lanes.stride = kRowLanes;
  const Sums<L, kRowLanes> sums = Dealt<L, kRowLanes, true>(lanes, p, 0, 1, vectors);
  Sums<L, 1> sum;
  for (int64_t i = vectors * kRowLanes; i < c.width; ++i) Add<L, 1, true>(c, p, i, sum);
  for (int i = 0; i < kRowLanes; ++i) sum.of += sums.of[i / L::kCount][i % L::kCount];
  return sum;
}

template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline Sums<L, kWidth> Sequential(const MeanColumns& c,
                                                         const RealInputParameters& p) {
  Sums<L, kWidth> sums{};
  for (int64_t i = 0; i < c.width; ++i) Add<L, kWidth, kDense>(c, p, i, sums);
  return sums;
}

template <typename L, int kWidth>
[[gnu::always_inline]] inline void WriteMeans(const MeanColumns& c,
                                              const RealOutputParameters& p,
                                              const Sums<L, kWidth>& sums) {
  const auto width = static_cast<float>(c.width);
  if constexpr (kWidth == 1) {
    *c.output = ByteOfReal(sums.of / width, p);
  } else {
    for (int i = 0; i < kWidth / L::kCount; ++i)
      WriteLanes<L>(sums.of[i] / width, p, c.output + L::kCount * i * c.output_stride,
                    c.output_stride);
  }
}

template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline void Means(const MeanColumns& c, int64_t column,
                                         MeanOrder order,
                                         const RealInputParameters& input,
                                         const RealOutputParameters& output) {
  MeanColumns at = c;
  at.input += column * c.column_stride;
  at.output += column * c.output_stride;
  Sums<L, kWidth> sums;
  switch (order) {
    case MeanOrder::kRow:
      sums = Row<L, kWidth, kDense>(at, input);
      break;
    case MeanOrder::kDealt:
      sums = Dealt<L, kWidth, kDense>(at, input, 0, 1, c.width);
      break;
    case MeanOrder::kCascade:
      sums = Cascade<L, kWidth, kDense>(at, input, 0, 1, c.width);
      break;
    case MeanOrder::kSequential:
      sums = Sequential<L, kWidth, kDense>(at, input);
  }
  WriteMeans<L, kWidth>(at, output, sums);
}

// Blocks of kWidth columns; the last one moves back over columns that are done.
template <typename L, int kWidth, bool kDense>
[[gnu::always_inline]] inline void Blocks(const MeanColumns& c, MeanOrder order,
                                          const RealInputParameters& input,
                                          const RealOutputParameters& output) {
  for (int64_t column = 0; column < c.count; column += kWidth)
    Means<L, kWidth, kDense>(c, std::min(column, c.count - kWidth), order, input, output);
}

// Rows this short are faster as columns.
constexpr int64_t kShortRow = 64;

template <typename L, int kWide>
[[gnu::always_inline]] inline void AnyColumns(const MeanColumns& c, MeanOrder order,
                                              const RealInputParameters& input,
                                              const RealOutputParameters& output) {
  constexpr int kNarrow = 8;
  const bool dense = c.column_stride == 1;
  if (dense && c.count >= kWide) return Blocks<L, kWide, true>(c, order, input, output);
  if (dense && c.count >= kNarrow)
    return Blocks<L, kNarrow, true>(c, order, input, output);
  const bool rows = order == MeanOrder::kRow && c.offsets == nullptr && c.stride == 1;
  if (rows && c.width >= (c.count >= kNarrow ? kShortRow : kRowLanes)) {
    for (int64_t column = 0; column < c.count; ++column) {
      MeanColumns at = c;
      at.input += column * c.column_stride;
      at.output += column * c.output_stride;
      WriteMeans<L, 1>(at, output, DenseRow<L>(at, input));
    }
    return;
  }
  if (c.count >= kNarrow) return Blocks<L, kNarrow, false>(c, order, input, output);
  Blocks<L, 1, false>(c, order, input, output);
}

#define QCONFORM_MEAN_KERNEL(name, lanes, wide, ...)                 \
  __VA_ARGS__ void name(const MeanColumns& columns, MeanOrder order, \
                        const RealInputParameters& input,            \
                        const RealOutputParameters& output) {        \
    AnyColumns<lanes, wide>(columns, order, input, output);          \
  }

#ifdef __x86_64__
QCONFORM_MEAN_KERNEL(MeanSse41, FourLanes, 16, [[gnu::target("sse4.1")]])
QCONFORM_MEAN_KERNEL(MeanAvx2, EightLanes, 32, [[gnu::target("avx2")]])
QCONFORM_MEAN_KERNEL(MeanAvx512, EightLanes, 32,
                     [[gnu::target("avx512f,avx512bw,avx512vl")]])
#else
QCONFORM_MEAN_KERNEL(MeanAnywhere, FourLanes, 16)
#endif

}  // namespace

MeanKernel MeanKernelOf([[maybe_unused]] Path path) {
#ifdef __x86_64__
  if (path == Path::kSse41) return MeanSse41;
  return path == Path::kAvx2 ? MeanAvx2 : MeanAvx512;
#else
  return MeanAnywhere;
#endif
}

}  // namespace qconform::kernels
