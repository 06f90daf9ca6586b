// Whether sums of products of bytes may begin in 16 bits: conv/short_sums.h.
#ifndef QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_
#define QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

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

// The same of `count` runs of `codes_each`, side by side; returns the widest.
ShortSum ShortSumsOf(const uint8_t* codes, int64_t count, int64_t codes_each,
                     ShortSum* sums);

// Of one run whose groups may begin at any code.
ShortSum ShortSumAnywhere(const uint8_t* codes, int64_t count);

inline ShortSum WidestOf(const ShortSum* sums, int64_t first, int64_t last) {
  return *std::max_element(sums + first, sums + last + 1);
}

// Items [first, first + count) of the same sum.
struct ShortSumPart {
  int64_t first, count;
  ShortSum sum;
};

// Items [0, count) in pieces of `piece` or, the last, of up to twice as many; neighbours
// of the same sum together. widest(first, count) is the sum of one piece.
template <typename Widest>
std::vector<ShortSumPart> CutByShortSum(int64_t count, int64_t piece, Widest widest) {
  std::vector<ShortSumPart> parts;
  for (int64_t at = 0; at < count;) {
    const int64_t left = count - at;
    const int64_t items = left < 2 * piece ? left : piece;
    const ShortSum sum = widest(at, items);
    if (!parts.empty() && parts.back().sum == sum) {
      parts.back().count += items;
    } else {
      parts.push_back({at, items, sum});
    }
    at += items;
  }
  return parts;
}

// Calls compute(first block, blocks, part) for all blocks of weights, `block_bytes` each,
// and all parts: while the parts pass, the blocks stay in the second-level cache.
template <typename Compute>
void ForEachPart(const std::vector<ShortSumPart>& parts, int64_t blocks,
                 int64_t block_bytes, Compute compute) {
  constexpr int64_t kCacheBytes = 128 * 1024;
  const int64_t fits =
      std::max<int64_t>(1, kCacheBytes / std::max<int64_t>(1, block_bytes));
  const int64_t each = parts.size() > 1 ? fits : blocks;
  for (int64_t first = 0; first < blocks; first += each)
    for (const ShortSumPart& part : parts)
      compute(first, std::min(each, blocks - first), part);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_SHORT_SUMS_H_
