// With the processor's own instructions, since Halide does not find them: compiled once a
// path (attribute `target`), chosen at run time.
//
// A table of 256 bytes is sixteen of sixteen, and pshufb looks up a nibble in one of
// those; where the index is negative it gives zero. Index and index - 16, - 32, ... are
// looked up in turn, in the differences (by xor) of each sixteen to the one before: what
// is xored up to the index' own sixteen is its entry, and from there on the index is
// negative. Bytes from 128 on are negative at once; they are done in a second round with
// the upper half of the table.
#include "kernels/layout/code_lookup.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace qconform::kernels {
namespace {

constexpr int kPart = 16;
constexpr int kParts = 16;

#ifdef __x86_64__
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
int64_t LookUpNone(const CodeTable&, const uint8_t*, uint8_t*, int64_t) { return 0; }
#endif

}  // namespace

CodeLookup::CodeLookup(const CodeTable& table, [[maybe_unused]] Path path)
    : table_(table), differences_(table) {
  // Each half begins anew.
  for (size_t i = 0; i < table.size(); ++i)
    if (i % 128 >= kPart) differences_[i] = table[i] ^ table[i - kPart];
#ifdef __x86_64__
  vectors_ = path == Path::kSse41 ? LookUpSse41 : LookUpAvx2;
#else
  vectors_ = LookUpNone;
#endif
}

void CodeLookup::Row(const uint8_t* from, uint8_t* to, int64_t count) const {
  for (int64_t i = vectors_(differences_, from, to, count); i < count; ++i)
    to[i] = table_[from[i]];
}

}  // namespace qconform::kernels
