// Whether sums of products of bytes may begin in 16 bits: conv/short_sums.h.
#ifndef QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_
#define QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_

#include <algorithm>
#include <cstdint>

namespace qconform::kernels {

// Which products of u8 codes by s8 weights have a sum that 16 bits hold, whatever the
// weights: 255 * 128 < 2^15. The order is that of what may stand for what: kernels for
// kWide are right for any codes.
enum class ShortSum : uint8_t {
  kQuad,  // four codes of a group of eight are at most 255 together
  kPair,  // two neighbours are
  kWide,  // 32 bits
};

// Of a run of codes, whose groups of eight begin at its front: groups (k, k + 1, k + 4,
// k + 5) with k % 8 of 0 or 2, and pairs (k, k + 1) with even k.
ShortSum ShortSumOf(const uint8_t* codes, int64_t count);

// The same where groups may begin at any code.
ShortSum ShortSumAnywhere(const uint8_t* codes, int64_t count);

inline ShortSum WidestOf(const ShortSum* rows, int64_t first, int64_t last) {
  return *std::max_element(rows + first, rows + last + 1);
}

// Calls compute(first, count, sum) for parts of items [0, count): pieces of `piece` items
// or, the last, up to twice as many; neighbours of the same sum together.
// widest(first, count) is the sum of one piece.
template <typename Widest, typename Compute>
void ForEachShortSum(int64_t count, int64_t piece, Widest widest, Compute compute) {
  int64_t first = 0;
  ShortSum sum = ShortSum::kQuad;
  for (int64_t at = 0; at < count;) {
    const int64_t left = count - at;
    const int64_t items = left < 2 * piece ? left : piece;
    const ShortSum own = widest(at, items);
    if (at > first && own != sum) {
      compute(first, at - first, sum);
      first = at;
    }
    sum = own;
    at += items;
  }
  if (count > first) compute(first, count - first, sum);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_
