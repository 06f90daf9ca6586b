#include "kernels/layout/short_sums.h"

#include <bit>
#include <cstring>

namespace qconform::kernels {
namespace {

// Sums in four lanes of 16 bits, eight codes at a time. A sum of 256 or more sets one of
// the upper bits of its lane, so an OR of all is what is kept. The upper two lanes of a
// sum of four hold a pair alone.
struct LaneSums {
  uint64_t pairs = 0, quads = 0;

  void Include(uint64_t codes) {
    constexpr uint64_t kLow = 0x00ff00ff00ff00ff;
    const uint64_t pair = (codes & kLow) + (codes >> 8 & kLow);
    pairs |= pair;
    quads |= pair + (pair >> 32);
  }

  ShortSum Widest() const {
    constexpr uint64_t kTooLarge = 0xff00ff00ff00ff00;
    if ((pairs & kTooLarge) != 0) return ShortSum::kWide;
    return (quads & kTooLarge) != 0 ? ShortSum::kPair : ShortSum::kQuad;
  }
};

}  // namespace

// Lanes are read in the order of memory.
static_assert(std::endian::native == std::endian::little);

ShortSum ShortSumOf(const uint8_t* codes, int64_t count) {
  const int64_t words = count / 8;
  LaneSums sums;
  for (int64_t i = 0; i < words; ++i) {
    uint64_t word;
    std::memcpy(&word, codes + 8 * i, sizeof word);
    sums.Include(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, codes + 8 * words, static_cast<size_t>(count % 8));
  sums.Include(rest);
  return sums.Widest();
}

ShortSum ShortSumsOf(const uint8_t* codes, int64_t count, int64_t codes_each,
                     ShortSum* sums) {
  ShortSum widest = ShortSum::kQuad;
  for (int64_t i = 0; i < count; ++i) {
    sums[i] = ShortSumOf(codes + i * codes_each, codes_each);
    widest = std::max(widest, sums[i]);
  }
  return widest;
}

ShortSum ShortSumAnywhere(const uint8_t* codes, int64_t count) {
  ShortSum widest = ShortSum::kQuad;
  // A group of eight holds the sums that begin at its first and third code.
  for (const int64_t skip : {0, 1, 4, 5}) {
    if (skip < count) widest = std::max(widest, ShortSumOf(codes + skip, count - skip));
  }
  return widest;
}

}  // namespace qconform::kernels
