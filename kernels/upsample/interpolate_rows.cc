// Plain C++, since Halide promises no fused multiply-add: compiled once a path by the
// compiler's own vectorizer (attribute `target`), chosen at run time.
#include "kernels/upsample/interpolate_rows.h"

#include <cstring>

#include "kernels/requantize/float_lanes.h"
#include "kernels/requantize/fused_multiply_add.h"
#include "kernels/requantize/real_code.h"

namespace qconform::kernels {
namespace {

[[gnu::always_inline]] inline void Read(const uint8_t* from, int64_t count,
                                        const RealInputParameters& input, float* to) {
  const RealInputParameters p = input;
  for (int64_t i = 0; i < count; ++i) to[i] = RealOfByte(from[i], p);
}

template <typename Fma>
[[gnu::always_inline]] inline void Along(const float* from, int64_t lanes,
                                         const InterpolatedPixels& pixels, float* to) {
  const int64_t count = pixels.count();
  const int32_t* const low = pixels.low.data();
  const int32_t* const high = pixels.high.data();
  const float* const below = pixels.below.data();
  const float* const above = pixels.above.data();
  if (lanes == 1) {
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i)
      to[i] = Fma::FusedMultiplyAdd(below[i], from[low[i]], above[i] * from[high[i]]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const float* const a = from + low[i] * lanes;
    const float* const b = from + high[i] * lanes;
    const float wa = below[i], wb = above[i];
    float* const out = to + i * lanes;
#pragma GCC ivdep
    for (int64_t c = 0; c < lanes; ++c)
      out[c] = Fma::FusedMultiplyAdd(wa, a[c], wb * b[c]);
  }
}

template <typename Fma>
[[gnu::always_inline]] inline void Between(const float* low, const float* high,
                                           int64_t count, const LinearSource& source,
                                           float* to) {
  const float below = source.below, above = source.above;
#pragma GCC ivdep
  for (int64_t i = 0; i < count; ++i)
    to[i] = Fma::FusedMultiplyAdd(below, low[i], above * high[i]);
}

// The four elements around one of the result.
struct Square {
  float low_left, low_right, high_left, high_right;
};

template <typename Fma>
[[gnu::always_inline]] inline float Weighted(const LinearSource& h, float below,
                                             float above, const Square& square) {
  float sum = h.below * above * square.low_right;
  sum = Fma::FusedMultiplyAdd(h.below * below, square.low_left, sum);
  sum = Fma::FusedMultiplyAdd(h.above * below, square.high_left, sum);
  return Fma::FusedMultiplyAdd(h.above * above, square.high_right, sum);
}

template <typename Fma>
[[gnu::always_inline]] inline void Both(const float* low, const float* high,
                                        int64_t lanes, const InterpolatedPixels& pixels,
                                        const LinearSource& source, float* to) {
  const LinearSource h = source;
  const int64_t count = pixels.count();
  const int32_t* const left = pixels.low.data();
  const int32_t* const right = pixels.high.data();
  const float* const below = pixels.below.data();
  const float* const above = pixels.above.data();
  if (lanes == 1) {
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i)
      to[i] = Weighted<Fma>(h, below[i], above[i],
                            {low[left[i]], low[right[i]], high[left[i]], high[right[i]]});
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const float* const a = low + left[i] * lanes;
    const float* const b = low + right[i] * lanes;
    const float* const c = high + left[i] * lanes;
    const float* const d = high + right[i] * lanes;
    const float wa = below[i], wb = above[i];
    float* const out = to + i * lanes;
#pragma GCC ivdep
    for (int64_t l = 0; l < lanes; ++l)
      out[l] = Weighted<Fma>(h, wa, wb, {a[l], b[l], c[l], d[l]});
  }
}

template <typename Lanes>
[[gnu::always_inline]] inline void Write(const float* from, int64_t count,
                                         const RealOutputParameters& output,
                                         uint8_t* to) {
  const RealOutputParameters p = output;
  int64_t i = 0;
  for (; i + Lanes::kCount <= count; i += Lanes::kCount) {
    typename Lanes::Floats lanes;
    std::memcpy(&lanes, from + i, sizeof lanes);
    WriteLanes<Lanes>(lanes, p, to + i, 1);
  }
  for (; i < count; ++i) to[i] = ByteOfReal(from[i], p);
}

#define QCONFORM_INTERPOLATED_ROWS(name, Fma, Lanes, ...)                                \
  struct name {                                                                          \
    __VA_ARGS__ static void ReadRow(const uint8_t* from, int64_t count,                  \
                                    const RealInputParameters& input, float* to) {       \
      Read(from, count, input, to);                                                      \
    }                                                                                    \
    __VA_ARGS__ static void AlongRow(const float* from, int64_t lanes,                   \
                                     const InterpolatedPixels& pixels, float* to) {      \
      Along<Fma>(from, lanes, pixels, to);                                               \
    }                                                                                    \
    __VA_ARGS__ static void BetweenRows(const float* low, const float* high,             \
                                        int64_t count, const LinearSource& source,       \
                                        float* to) {                                     \
      Between<Fma>(low, high, count, source, to);                                        \
    }                                                                                    \
    __VA_ARGS__ static void BothRows(const float* low, const float* high, int64_t lanes, \
                                     const InterpolatedPixels& pixels,                   \
                                     const LinearSource& source, float* to) {            \
      Both<Fma>(low, high, lanes, pixels, source, to);                                   \
    }                                                                                    \
    __VA_ARGS__ static void WriteRow(const float* from, int64_t count,                   \
                                     const RealOutputParameters& output, uint8_t* to) {  \
      Write<Lanes>(from, count, output, to);                                             \
    }                                                                                    \
    static constexpr InterpolatedRows kRows = {ReadRow, AlongRow, BetweenRows, BothRows, \
                                               WriteRow};                                \
  }

#ifdef __x86_64__
QCONFORM_INTERPOLATED_ROWS(RowsSse41, InDouble, FourLanes, [[gnu::target("sse4.1")]]);
QCONFORM_INTERPOLATED_ROWS(RowsAvx2, InOneInstruction, EightLanes,
                           [[gnu::target("avx2,fma")]]);
QCONFORM_INTERPOLATED_ROWS(RowsAvx512, InOneInstruction, EightLanes,
                           [[gnu::target("avx512f,avx512bw,avx512vl,fma")]]);
#else
QCONFORM_INTERPOLATED_ROWS(RowsAnywhere, InOneInstruction, FourLanes);
#endif

}  // namespace

InterpolatedPixels::InterpolatedPixels(const std::vector<LinearSource>& sources) {
  for (const LinearSource& source : sources) {
    low.push_back(static_cast<int32_t>(source.low));
    high.push_back(static_cast<int32_t>(source.high));
    below.push_back(source.below);
    above.push_back(source.above);
  }
}

const InterpolatedRows& InterpolatedRowsOf([[maybe_unused]] Path path) {
#ifdef __x86_64__
  if (path == Path::kSse41) return RowsSse41::kRows;
  return path == Path::kAvx2 ? RowsAvx2::kRows : RowsAvx512::kRows;
#else
  return RowsAnywhere::kRows;
#endif
}

}  // namespace qconform::kernels
