#include "conformance/host/guarded_buffer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "conformance/host/phase_board.h"

namespace qconform {
namespace {

constexpr std::byte kFill{0x5A};

// Pages that were protected, or hold the bytes of another buffer, are used again.
TEST(GuardedBuffer, IsAsGoodAsNewInPagesThatWereUsedBefore) {
  const std::byte* before = nullptr;
  for (const bool taken_back : {false, true, true}) {
    // A size that no other test uses.
    GuardedBuffer buffer(150'004, 4, Placement::kFlushToEnd, kFill, "input 0");
    if (before != nullptr) {
      EXPECT_EQ(buffer.data(), before) << "mapped anew";
    }
    before = buffer.data();
    for (size_t i = 0; i < buffer.size(); ++i) ASSERT_EQ(buffer.data()[i], kFill);
    EXPECT_FALSE(buffer.FindStray());
    buffer.data()[150'003] = std::byte{1};
    EXPECT_FALSE(buffer.FindStray());
    buffer.data()[-3] = std::byte{1};
    const auto stray = buffer.FindStray();
    ASSERT_TRUE(stray);
    EXPECT_TRUE(stray->before);
    EXPECT_EQ(stray->distance, -3);
    if (taken_back) {
      buffer.TakeBack();
    } else {
      buffer.MakeReadOnly();
    }
  }
}

TEST(GuardedBuffer, FindsTheStrayNextToTheData) {
  GuardedBuffer buffer(100, 1, Placement::kFlushToStart, kFill, "output 0");
  buffer.data()[3000] = std::byte{1};
  buffer.data()[700] = std::byte{1};
  const auto stray = buffer.FindStray();
  ASSERT_TRUE(stray);
  EXPECT_FALSE(stray->before);
  EXPECT_EQ(stray->distance, 600);
}

TEST(GuardedBuffer, KeepsAlignmentsBeyondAPage) {
  for (const Placement placement : {Placement::kFlushToEnd, Placement::kFlushToStart}) {
    GuardedBuffer buffer(100, 1 << 16, placement, kFill, "the workspace");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % (1 << 16), 0u);
    EXPECT_FALSE(buffer.FindStray());
  }
}

TEST(PhaseBoard, KeepsTheLastPhaseAndNothingElse) {
  PhaseBoard board;
  EXPECT_EQ(board.Last().name, "");
  char* const page = OpenPhaseBoard(dup(board.descriptor()));
  ASSERT_NE(page, nullptr);
  WritePhase(page, "destroy", "run 3 of one plan");
  EXPECT_EQ(board.Last().name, "destroy");
  EXPECT_EQ(board.Last().asked, "run 3 of one plan");
  WritePhase(page, "run");
  EXPECT_EQ(board.Last().name, "run");
  EXPECT_EQ(board.Last().asked, "");
  WritePhase(page, "plan", std::string(2 * kPhaseBytes, 'x').c_str());
  EXPECT_EQ(board.Last().asked.size(), kPhaseBytes - sizeof "plan ");
  page[8] = '\x07';
  EXPECT_EQ(board.Last().asked, "xxx") << "scribbled over";
  page[2] = '\x07';
  EXPECT_EQ(board.Last().name, "pl") << "scribbled over";
  board.Clear();
  EXPECT_EQ(board.Last().name, "");
}

}  // namespace
}  // namespace qconform
