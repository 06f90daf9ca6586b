#include "reference/ir/large_storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {
namespace {

constexpr size_t kSize = size_t{5} << 20;

bool AllZero(const std::byte* bytes, size_t size) {
  return std::all_of(bytes, bytes + size,
                     [](std::byte byte) { return byte == std::byte{0}; });
}

TEST(LargeStorage, IsZeroAlsoWhenABlockComesAgain) {
  const std::byte* first = nullptr;
  {
    const auto storage = LargeStorage(kSize, Contents::kZeros);
    first = storage.get();
    EXPECT_TRUE(AllZero(first, kSize));
    std::fill_n(storage.get(), kSize, std::byte{7});
  }
  const auto again = LargeStorage(kSize, Contents::kZeros);
  EXPECT_EQ(again.get(), first) << "the block was not kept";
  EXPECT_TRUE(AllZero(again.get(), kSize));
}

TEST(LargeStorage, BlocksInUseAreApart) {
  const auto a = LargeStorage(kSize, Contents::kAny);
  const auto b = LargeStorage(kSize, Contents::kAny);
  std::fill_n(a.get(), kSize, std::byte{1});
  std::fill_n(b.get(), kSize, std::byte{2});
  EXPECT_EQ(a[kSize - 1], std::byte{1});
  EXPECT_EQ(b[0], std::byte{2});
}

// A block of twice the size and more is left for those who need it.
TEST(LargeStorage, ASmallRequestTakesNoLargeBlock) {
  const std::byte* large = LargeStorage(4 * kSize, Contents::kAny).get();
  EXPECT_NE(LargeStorage(kSize, Contents::kAny).get(), large);
  EXPECT_EQ(LargeStorage(3 * kSize, Contents::kAny).get(), large);
}

TEST(LargeStorage, ThreadsShareTheBlocks) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t id = 0; id < wrong.size(); ++id) {
    threads.emplace_back([id, &wrong] {
      for (int i = 0; i < 8; ++i) {
        const auto storage = LargeStorage(kSize, Contents::kAny);
        const auto mark = static_cast<std::byte>(id + 1);
        std::fill_n(storage.get(), kSize, mark);
        wrong[id] += std::count(storage.get(), storage.get() + kSize, mark) !=
                     static_cast<std::ptrdiff_t>(kSize);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(LargeStorage, LargeTensorsAreZero) {
  const auto count = static_cast<int64_t>(kSize);
  {
    Tensor tensor(DType::kUInt8, {count});
    std::fill_n(tensor.data<uint8_t>(), count, uint8_t{9});
  }
  const Tensor tensor(DType::kUInt8, {count});
  EXPECT_TRUE(AllZero(tensor.bytes(), kSize));
}

}  // namespace
}  // namespace qconform
