#include "kernels/layout/short_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace qconform::kernels {
namespace {

// By the words of the header. `step`: groups begin at its multiples.
ShortSum Slowly(const std::vector<uint8_t>& codes, size_t step) {
  const auto at = [&](size_t k) { return k < codes.size() ? int{codes[k]} : 0; };
  ShortSum widest = ShortSum::kQuad;
  for (size_t group = 0; group < codes.size(); group += step) {
    for (size_t k = group; k < group + 8; k += 2)
      if (at(k) + at(k + 1) > 255) return ShortSum::kWide;
    for (const size_t k : {group, group + 2})
      if (at(k) + at(k + 1) + at(k + 4) + at(k + 5) > 255) widest = ShortSum::kPair;
  }
  return widest;
}

TEST(ShortSums, AreThoseOfTheirDefinition) {
  std::mt19937 random(5);
  int seen[3] = {};
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> codes(random() % 90);
    const unsigned most = random() % 2 == 0 ? 64 : 128;
    for (uint8_t& code : codes)
      code = static_cast<uint8_t>(random() % 3 == 0 ? most : random() % most);
    const auto count = static_cast<int64_t>(codes.size());
    const ShortSum sum = Slowly(codes, 8);
    EXPECT_EQ(ShortSumOf(codes.data(), count), sum);
    EXPECT_EQ(ShortSumAnywhere(codes.data(), count), Slowly(codes, 1));
    ++seen[static_cast<int>(sum)];
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(ShortSums, TurnAt256) {
  const auto of = [](std::vector<uint8_t> codes) {
    return ShortSumOf(codes.data(), static_cast<int64_t>(codes.size()));
  };
  EXPECT_EQ(of({}), ShortSum::kQuad);
  EXPECT_EQ(of({255}), ShortSum::kQuad);
  EXPECT_EQ(of({0, 255, 255, 0, 0, 0, 0, 0, 255, 0}), ShortSum::kQuad);
  EXPECT_EQ(of({64, 64, 0, 0, 64, 63}), ShortSum::kQuad);
  EXPECT_EQ(of({64, 64, 0, 0, 64, 64}), ShortSum::kPair);
  EXPECT_EQ(of({0, 0, 1, 254, 0, 0, 1}), ShortSum::kPair);
  EXPECT_EQ(of({127, 128}), ShortSum::kQuad);
  EXPECT_EQ(of({128, 128}), ShortSum::kWide);
  EXPECT_EQ(of({0, 0, 0, 0, 0, 0, 255, 1}), ShortSum::kWide);
  EXPECT_EQ(of({0, 255, 255, 0}), ShortSum::kQuad);  // no pair of a group
  const std::vector<uint8_t> across = {0, 255, 255, 0};
  EXPECT_EQ(ShortSumAnywhere(across.data(), 4), ShortSum::kWide);
}

TEST(ShortSums, OfSeveralRuns) {
  const std::vector<uint8_t> codes = {1, 2, 200, 100, 90, 90, 90, 90};
  ShortSum sums[4];
  EXPECT_EQ(ShortSumsOf(codes.data(), 4, 2, sums), ShortSum::kWide);
  EXPECT_EQ(sums[0], ShortSum::kQuad);
  EXPECT_EQ(sums[1], ShortSum::kWide);
  EXPECT_EQ(sums[2], ShortSum::kQuad);
}

// Every item once, whole pieces, neighbours of one sum together.
TEST(ShortSums, AreCutIntoParts) {
  std::mt19937 random(6);
  for (int64_t count = 0; count < 70; ++count) {
    std::vector<ShortSum> items;
    for (int64_t i = 0; i < count; ++i)
      items.push_back(static_cast<ShortSum>(random() % 20 == 0 ? 2 : random() % 9 == 0));
    const std::vector<ShortSumPart> parts =
        CutByShortSum(count, 12, [&](int64_t first, int64_t n) {
          return WidestOf(items.data(), first, first + n - 1);
        });
    int64_t at = 0;
    for (size_t p = 0; p < parts.size(); ++p) {
      EXPECT_EQ(parts[p].first, at);
      EXPECT_GE(parts[p].count, std::min<int64_t>(count, 12));
      EXPECT_EQ(WidestOf(items.data(), at, at + parts[p].count - 1), parts[p].sum);
      if (p > 0) EXPECT_NE(parts[p].sum, parts[p - 1].sum);
      at += parts[p].count;
    }
    EXPECT_EQ(at, count);
    std::vector<int64_t> blocks(static_cast<size_t>(count), 0);
    ForEachPart(parts, 5, 50'000, [&](int64_t, int64_t n, const ShortSumPart& part) {
      for (int64_t i = 0; i < part.count; ++i)
        blocks[static_cast<size_t>(part.first + i)] += n;
    });
    EXPECT_EQ(blocks, std::vector<int64_t>(static_cast<size_t>(count), 5));
  }
}

}  // namespace
}  // namespace qconform::kernels
