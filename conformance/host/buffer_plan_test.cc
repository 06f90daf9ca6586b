#include "conformance/host/buffer_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/ir/splitmix64.h"

namespace qconform {
namespace {

constexpr size_t kAlignment = 64;

size_t Aligned(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// What must be there at once in the fullest step.
size_t FullestStep(const std::vector<BufferLife>& lives, int steps) {
  size_t fullest = 0;
  for (int step = 0; step < steps; ++step) {
    size_t bytes = 0;
    for (const BufferLife& life : lives)
      if (life.first <= step && step <= life.last) bytes += Aligned(life.bytes);
    fullest = std::max(fullest, bytes);
  }
  return fullest;
}

TEST(BufferPlan, LiveBuffersNeverOverlap) {
  SplitMix64 random(7);
  for (int round = 0; round < 300; ++round) {
    const int steps = 1 + static_cast<int>(random.Next() % 30);
    std::vector<BufferLife> lives;
    for (int i = 0; i < 40; ++i) {
      const int first = static_cast<int>(random.Next() % static_cast<uint64_t>(steps));
      const int last =
          std::min<int>(steps - 1, first + static_cast<int>(random.Next() % 5));
      lives.push_back({random.Next() % 5000, first, last});
    }
    const BufferPlan plan = PlanBuffers(lives, kAlignment);
    ASSERT_EQ(plan.offsets.size(), lives.size());
    EXPECT_GE(plan.bytes, FullestStep(lives, steps));
    for (size_t a = 0; a < lives.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % kAlignment, 0u);
      EXPECT_LE(plan.offsets[a] + lives[a].bytes, plan.bytes);
      for (size_t b = 0; b < a; ++b) {
        if (lives[a].first > lives[b].last || lives[b].first > lives[a].last) continue;
        EXPECT_TRUE(plan.offsets[a] + lives[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + lives[b].bytes <= plan.offsets[a])
            << a << " and " << b << " in round " << round;
      }
    }
  }
}

// Input and output of a step are alive together, so a chain needs two buffers and no
// more.
TEST(BufferPlan, ChainNeedsTwoBuffers) {
  std::vector<BufferLife> lives;
  for (int step = 0; step < 50; ++step) lives.push_back({640, step, step + 1});
  const BufferPlan plan = PlanBuffers(lives, kAlignment);
  EXPECT_EQ(plan.bytes, 2u * 640u);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

// Two holes of 1024 and 256 bytes in step 1: the small buffer takes the small one.
TEST(BufferPlan, SmallestGapThatHolds) {
  const BufferPlan plan = PlanBuffers(
      {{4096, 0, 1}, {1024, 0, 0}, {512, 0, 1}, {256, 0, 0}, {192, 0, 1}, {128, 1, 1}},
      kAlignment);
  EXPECT_EQ(plan.offsets[5], plan.offsets[3]);
  EXPECT_EQ(plan.bytes, 4096u + 1024u + 512u + 256u + 192u);
}

TEST(BufferPlan, NothingIsNoBytes) {
  EXPECT_EQ(PlanBuffers({}, kAlignment).bytes, 0u);
  EXPECT_EQ(PlanBuffers({{0, 0, 3}}, kAlignment).bytes, 0u);
}

}  // namespace
}  // namespace qconform
