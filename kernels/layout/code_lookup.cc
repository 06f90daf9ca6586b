// With the processor's own instructions, since Halide does not find them: compiled once a
// path (attribute `target`), chosen at run time.
//
// A table of 256 bytes is sixteen of sixteen, and pshufb looks up a nibble in one of
// those; where the index is negative it gives zero. Index and index - 16, - 32, ... are
// looked up in turn, in the differences (by xor) of each sixteen to the one before: what
// is xored up to the index' own sixteen is its entry, and from there on the index is
// negative. Bytes from 128 on are negative at once; they are done in a second round with
// the upper half of the table.
//
// Arm looks up 64 entries at once, and leaves what lies beyond them as it was.
#include "kernels/layout/code_lookup.h"

#include <algorithm>

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

namespace qconform::kernels {
namespace {

#ifdef __x86_64__
constexpr int kPart = 16;
constexpr int kParts = 16;

[[gnu::target("sse4.1")]] int64_t LookUpSse41(const CodeTable& differences,
                                              const uint8_t* from, uint8_t* to,
                                              int64_t count) {
  const auto* const parts = reinterpret_cast<const __m128i*>(differences.data());
  const __m128i step = _mm_set1_epi8(kPart);
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m128i index = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    __m128i upper = _mm_xor_si128(index, _mm_set1_epi8(-128));
    __m128i found = _mm_setzero_si128();
    for (int k = 0; k < kParts / 2; ++k) {
      const __m128i low = _mm_shuffle_epi8(_mm_loadu_si128(parts + k), index);
      const __m128i high =
          _mm_shuffle_epi8(_mm_loadu_si128(parts + kParts / 2 + k), upper);
      found = _mm_xor_si128(found, _mm_xor_si128(low, high));
      index = _mm_subs_epi8(index, step);
      upper = _mm_subs_epi8(upper, step);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), found);
  }
  return i;
}

[[gnu::target("avx2")]] int64_t LookUpAvx2(const CodeTable& differences,
                                           const uint8_t* from, uint8_t* to,
                                           int64_t count) {
  const auto* const parts = reinterpret_cast<const __m128i*>(differences.data());
  __m256i table[kParts];
  for (int k = 0; k < kParts; ++k)
    table[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128(parts + k));
  const __m256i step = _mm256_set1_epi8(kPart);
  int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    __m256i upper = _mm256_xor_si256(index, _mm256_set1_epi8(-128));
    __m256i found = _mm256_setzero_si256();
    for (int k = 0; k < kParts / 2; ++k) {
      const __m256i low = _mm256_shuffle_epi8(table[k], index);
      const __m256i high = _mm256_shuffle_epi8(table[kParts / 2 + k], upper);
      found = _mm256_xor_si256(found, _mm256_xor_si256(low, high));
      index = _mm256_subs_epi8(index, step);
      upper = _mm256_subs_epi8(upper, step);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), found);
  }
  return i;
}
#else
int64_t LookUpNeon(const CodeTable& table, const uint8_t* from, uint8_t* to,
                   int64_t count) {
  const uint8x16x4_t parts[4] = {vld1q_u8_x4(&table[0]), vld1q_u8_x4(&table[64]),
                                 vld1q_u8_x4(&table[128]), vld1q_u8_x4(&table[192])};
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const uint8x16_t index = vld1q_u8(from + i);
    uint8x16_t found = vqtbl4q_u8(parts[0], index);
    found = vqtbx4q_u8(found, parts[1], vsubq_u8(index, vdupq_n_u8(64)));
    found = vqtbx4q_u8(found, parts[2], vsubq_u8(index, vdupq_n_u8(128)));
    found = vqtbx4q_u8(found, parts[3], vsubq_u8(index, vdupq_n_u8(192)));
    vst1q_u8(to + i, found);
  }
  return i;
}
#endif

}  // namespace

// Compiled once a path by the compiler's own vectorizer.
struct CodeClamp {
  using Bounds = CodeLookup::Bounds;

  [[gnu::always_inline]] static inline void Row(Bounds bounds, const uint8_t* from,
                                                uint8_t* to, int64_t count) {
    // In place is no dependence of one code on another.
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) {
      const auto code = static_cast<uint8_t>(from[i] ^ bounds.flip);
      to[i] = std::min(std::max(code, bounds.low), bounds.high) ^ bounds.flip;
    }
  }
  static void Anywhere(Bounds bounds, const uint8_t* from, uint8_t* to, int64_t count) {
    Row(bounds, from, to, count);
  }
#ifdef __x86_64__
  [[gnu::target("avx2")]] static void Avx2(Bounds bounds, const uint8_t* from,
                                           uint8_t* to, int64_t count) {
    Row(bounds, from, to, count);
  }
#endif

  // Whether a table does the same; leaves in `bounds` with which bounds.
  static bool Finds(const CodeTable& table, Bounds& bounds) {
    for (const uint8_t flip : {0x00, 0x80}) {
      bounds = {flip, static_cast<uint8_t>(table[flip] ^ flip),
                static_cast<uint8_t>(table[flip ^ 255] ^ flip)};
      CodeTable codes, clamped;
      for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint8_t>(i);
      Row(bounds, codes.data(), clamped.data(), static_cast<int64_t>(codes.size()));
      if (bounds.low <= bounds.high && clamped == table) return true;
    }
    return false;
  }
};

CodeLookup::CodeLookup(const CodeTable& table, [[maybe_unused]] Path path)
    : table_(table), parts_(table), bounds_(), clamps_(nullptr) {
  const bool clamps = CodeClamp::Finds(table, bounds_);
#ifdef __x86_64__
  // Each half begins anew.
  for (size_t half = 0; half < table.size(); half += table.size() / 2)
    for (size_t i = half + kPart; i < half + table.size() / 2; ++i)
      parts_[i] = table[i] ^ table[i - kPart];
  vectors_ = path == Path::kSse41 ? LookUpSse41 : LookUpAvx2;
  if (clamps) clamps_ = path == Path::kSse41 ? CodeClamp::Anywhere : CodeClamp::Avx2;
#else
  vectors_ = LookUpNeon;
  if (clamps) clamps_ = CodeClamp::Anywhere;
#endif
}

void CodeLookup::Row(const uint8_t* from, uint8_t* to, int64_t count) const {
  if (clamps_ != nullptr) return clamps_(bounds_, from, to, count);
  for (int64_t i = vectors_(parts_, from, to, count); i < count; ++i)
    to[i] = table_[from[i]];
}

}  // namespace qconform::kernels
