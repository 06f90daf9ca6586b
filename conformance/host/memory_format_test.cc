#include "conformance/host/memory_format.h"

#include <gtest/gtest.h>

#include "kernels/abi/qconform_backend.h"

namespace qconform {
namespace {

TEST(MemoryFormat, StridesOfTorch) {
  const Shape shape = {2, 3, 4, 5};
  EXPECT_EQ(StridesOf(shape, 1, MemoryFormat::kContiguous),
            (std::vector<int64_t>{60, 20, 5, 1}));
  EXPECT_EQ(StridesOf(shape, 4, MemoryFormat::kChannelsLast),
            (std::vector<int64_t>{240, 4, 60, 12}));
}

TEST(MemoryFormat, AllowedFollowsTheAnswer) {
  using F = MemoryFormat;
  EXPECT_EQ(AllowedFormats(0, 4), std::vector<F>{F::kContiguous});
  EXPECT_EQ(AllowedFormats(QC_CHANNELS_LAST, 4), std::vector<F>{F::kChannelsLast});
  EXPECT_EQ(AllowedFormats(QC_CHANNELS_LAST, 2), std::vector<F>{F::kContiguous});
  EXPECT_EQ(AllowedFormats(QC_ANY_STRIDE, 4),
            (std::vector<F>{F::kContiguous, F::kChannelsLast, F::kPadded}));
}

TEST(MemoryFormat, GatherUndoesScatter) {
  const Shape shape = {2, 3, 2, 2};
  std::vector<std::byte> dense(24);
  for (size_t i = 0; i < dense.size(); ++i) dense[i] = static_cast<std::byte>(i + 1);
  for (const MemoryFormat format :
       {MemoryFormat::kContiguous, MemoryFormat::kChannelsLast, MemoryFormat::kPadded}) {
    const auto strides = StridesOf(shape, 1, format);
    const size_t extent = ExtentOf(shape, strides, 1);
    EXPECT_EQ(extent > dense.size(), format == MemoryFormat::kPadded);
    std::vector<std::byte> memory(extent);
    Scatter(dense, shape, strides, 1, memory.data());
    std::vector<std::byte> back(dense.size());
    Gather(memory.data(), shape, strides, 1, back);
    EXPECT_EQ(back, dense) << MemoryFormatName(format);
  }
  EXPECT_EQ(ExtentOf({0, 3}, StridesOf({0, 3}, 4, MemoryFormat::kContiguous), 4), 0u);
}

}  // namespace
}  // namespace qconform
