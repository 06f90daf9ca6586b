// Plain C++ in the compiler's own vectors, compiled once a path: Halide cannot ask the
// definition where a code is not certain.
#include "kernels/pool/integer_means.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#ifdef __x86_64__
#include <emmintrin.h>
#else
#include <arm_neon.h>
#endif

namespace qconform::kernels {
namespace {

// Fewer are summed as fast in float32.
constexpr int64_t kFewElements = 32;

constexpr int64_t kNarrow = 16;

using EightWords = uint16_t __attribute__((vector_size(16)));
using SixteenWords = uint16_t __attribute__((vector_size(32)));

[[gnu::always_inline]] inline void InTurn(const EightWords& even, const EightWords& odd,
                                          uint16_t* to) {
  const EightWords low = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
  const EightWords high = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
  std::memcpy(to, &low, sizeof low);
  std::memcpy(to + 8, &high, sizeof high);
}
[[gnu::always_inline]] inline void InTurn(const SixteenWords& even,
                                          const SixteenWords& odd, uint16_t* to) {
  const SixteenWords low = __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19,
                                                   4, 20, 5, 21, 6, 22, 7, 23);
  const SixteenWords high = __builtin_shufflevector(even, odd, 8, 24, 9, 25, 10, 26, 11,
                                                    27, 12, 28, 13, 29, 14, 30, 15, 31);
  std::memcpy(to, &low, sizeof low);
  std::memcpy(to + 16, &high, sizeof high);
}

// All bytes in words, and the odd ones again: what is left of the sum is the even ones,
// whose words may wrap around in between. 256 bytes do not leave a word.
template <typename Words, int kVectors, bool kFlips>
[[gnu::always_inline]] inline void SumSideBySide(const MeanColumns& c, int64_t column,
                                                 uint8_t flip, int32_t* sums) {
  constexpr int64_t kRun = 256;
  constexpr int kWords = sizeof(Words) / 2;
  const Words flips = Words{} + static_cast<uint16_t>(flip * 0x101);
  for (int64_t begin = 0; begin < c.width; begin += kRun) {
    const int64_t end = std::min(begin + kRun, c.width);
    Words all[kVectors] = {}, odd[kVectors] = {};
    for (int64_t i = begin; i < end; ++i) {
      const uint8_t* const from =
          c.input + column + (c.offsets != nullptr ? c.offsets[i] : i * c.stride);
      for (int v = 0; v < kVectors; ++v) {
        Words bytes;
        std::memcpy(&bytes, from + v * static_cast<int>(sizeof bytes), sizeof bytes);
        if constexpr (kFlips) bytes ^= flips;
        all[v] += bytes;
        odd[v] += bytes >> 8;
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      uint16_t of[kWords * 2];
      InTurn(all[v] - (odd[v] << 8), odd[v], of);
      int32_t* const to = sums + v * kWords * 2;
      for (int i = 0; i < kWords * 2; ++i) to[i] = (begin == 0 ? 0 : to[i]) + of[i];
    }
  }
}

// Bytes side by side: at least kNarrow.
inline int32_t SumOfBytes(const uint8_t* from, int64_t count, uint8_t flip) {
  // The last bytes overlap the ones before, which this masks.
  alignas(16) static constexpr uint8_t kMask[32] = {
      0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  const int64_t rest = count % kNarrow;
#ifdef __x86_64__
  const auto load = [](const uint8_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const __m128i flips = _mm_set1_epi8(static_cast<char>(flip));
  const __m128i zero = _mm_setzero_si128();
  __m128i sum =
      _mm_sad_epu8(_mm_and_si128(_mm_xor_si128(load(from + count - kNarrow), flips),
                                 load(kMask + rest)),
                   zero);
  for (int64_t i = 0; i + kNarrow <= count; i += kNarrow)
    sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_xor_si128(load(from + i), flips), zero));
  return _mm_cvtsi128_si32(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum)));
#else
  const uint8x16_t flips = vdupq_n_u8(flip);
  uint32_t sum = vaddlvq_u8(vandq_u8(veorq_u8(vld1q_u8(from + count - kNarrow), flips),
                                     vld1q_u8(kMask + rest)));
  for (int64_t i = 0; i + kNarrow <= count; i += kNarrow)
    sum += vaddlvq_u8(veorq_u8(vld1q_u8(from + i), flips));
  return static_cast<int32_t>(sum);
#endif
}

// The narrow last block moves back over columns that are done.
template <typename Words, bool kFlips>
[[gnu::always_inline]] inline void SumColumns(const MeanColumns& c, uint8_t flip,
                                              int32_t* sums) {
  constexpr int64_t kWide = 64;
  if (c.count >= kWide)
    return SumSideBySide<Words, kWide / static_cast<int64_t>(sizeof(Words)), kFlips>(
        c, 0, flip, sums);
  for (int64_t i = 0; i < c.count; i += kNarrow) {
    const int64_t column = std::min(i, c.count - kNarrow);
    SumSideBySide<EightWords, 1, kFlips>(c, column, flip, sums + column);
  }
}

template <typename Words>
[[gnu::always_inline]] inline void AnySums(const MeanColumns& c, uint8_t flip,
                                           int32_t* sums) {
  if (c.column_stride != 1) {
    for (int64_t i = 0; i < c.count; ++i)
      sums[i] = SumOfBytes(c.input + i * c.column_stride, c.width, flip);
    return;
  }
  flip == 0 ? SumColumns<Words, false>(c, flip, sums)
            : SumColumns<Words, true>(c, flip, sums);
}

}  // namespace

struct IntegerMeanKernels {
  [[gnu::always_inline]] static inline bool Finish(const IntegerMeans& means,
                                                   const int32_t* sums, uint8_t* codes,
                                                   uint8_t* doubts) {
    constexpr float kMagic = 12582912.0f;  // adding it rounds to nearest even
    const IntegerMeans m = means;
    int32_t doubt = 0;
    for (int64_t i = 0; i < IntegerMeans::kBlock; ++i) {
      const float scaled = static_cast<float>(sums[i] - m.zero_) * m.multiplier_;
      const float raised = scaled > m.output_.lower ? scaled : m.output_.lower;
      const float clamped = raised < m.output_.upper ? raised : m.output_.upper;
      const float whole = (clamped + kMagic) - kMagic;
      const int32_t off = std::fabs(clamped - whole) > m.certain_ ? 1 : 0;
      const int32_t code = static_cast<int32_t>(whole) + m.output_.zero_point;
      codes[i] = static_cast<uint8_t>(code) ^ m.output_.flip;
      doubts[i] = static_cast<uint8_t>(off);
      doubt |= off;
    }
    return doubt == 0;
  }

#ifdef __x86_64__
  [[gnu::target("sse4.1")]] static void SumSse41(const MeanColumns& c, uint8_t flip,
                                                 int32_t* sums) {
    AnySums<EightWords>(c, flip, sums);
  }
  [[gnu::target("sse4.1")]] static bool FinishSse41(const IntegerMeans& means,
                                                    const int32_t* sums, uint8_t* codes,
                                                    uint8_t* doubts) {
    return Finish(means, sums, codes, doubts);
  }
  [[gnu::target("avx2")]] static void SumAvx2(const MeanColumns& c, uint8_t flip,
                                              int32_t* sums) {
    AnySums<SixteenWords>(c, flip, sums);
  }
  [[gnu::target("avx2")]] static bool FinishAvx2(const IntegerMeans& means,
                                                 const int32_t* sums, uint8_t* codes,
                                                 uint8_t* doubts) {
    return Finish(means, sums, codes, doubts);
  }
#else
  static void SumAnywhere(const MeanColumns& c, uint8_t flip, int32_t* sums) {
    AnySums<EightWords>(c, flip, sums);
  }
  static bool FinishAnywhere(const IntegerMeans& means, const int32_t* sums,
                             uint8_t* codes, uint8_t* doubts) {
    return Finish(means, sums, codes, doubts);
  }
#endif

  static void Choose([[maybe_unused]] Path path, IntegerMeans& means) {
#ifdef __x86_64__
    means.sum_ = path == Path::kSse41 ? SumSse41 : SumAvx2;
    means.finish_ = path == Path::kSse41 ? FinishSse41 : FinishAvx2;
#else
    means.sum_ = SumAnywhere;
    means.finish_ = FinishAnywhere;
#endif
  }
};

int64_t MostAdditions(MeanOrder order, int64_t width) {
  if (order == MeanOrder::kSequential) return width;
  // Four levels of at most `run` additions, but eight times that in the last, and those
  // of the levels, of the four dealt sums, of eight lanes and of what was left over.
  int64_t run = 16;
  while (run * run * run * run * 8 < width) run *= 2;
  return std::min(width, 11 * run + 3 + 6 + 15);
}

bool IntegerMeans::Sums(const MeanColumns& c) {
  if (c.column_stride == 1) return c.count >= kNarrow;
  return c.offsets == nullptr && c.stride == 1 && c.width >= kNarrow;
}

// Sums of n products of at most d = |code - zero point| and the scale s: float32 is off
// from their real sum by at most a * u * n * d * s, where each element goes through a
// roundings (an order's additions and one product) and u is 2^-24; dividing by n and
// multiplying by the reciprocal r round twice. What is computed here rounds three times:
// the sum as a float, the multiplier and their product. Together codes are off by at most
// (a + 5) * u * d * s * r, less than the margin below, so that both round to the same
// code unless the value lies that near to the middle of two.
std::optional<IntegerMeans> IntegerMeans::Of(const RealInputParameters& input,
                                             const RealOutputParameters& output,
                                             int64_t width, int64_t additions,
                                             Path path) {
  if (width < kFewElements) return std::nullopt;
  const double largest =
      std::max(std::abs(0.0 - input.zero_point), std::abs(255.0 - input.zero_point));
  const double scale = input.scale, reciprocal = output.reciprocal;
  const double roundings = static_cast<double>(additions) + 10;
  const double margin = roundings * 0x1p-24 * 1.1 * largest * scale * reciprocal;
  constexpr double kWidestMargin = 1.0 / 64;
  constexpr double kLeast = 0x1p-40, kMost = 0x1p40;  // nothing is subnormal
  const bool usual = scale > kLeast && scale < kMost && reciprocal > kLeast &&
                     reciprocal < kMost && margin < kWidestMargin &&
                     largest * static_cast<double>(width) < 0x1p30 &&
                     std::abs(output.zero_point) < 1 << 20;
  if (!usual) return std::nullopt;
  IntegerMeans means;
  means.flip_ = input.flip;
  means.zero_ = static_cast<int32_t>(width * input.zero_point);
  means.multiplier_ = static_cast<float>(scale * reciprocal / static_cast<double>(width));
  means.certain_ = static_cast<float>(0.5 - margin);
  means.output_ = output;
  IntegerMeanKernels::Choose(path, means);
  return means;
}

}  // namespace qconform::kernels
