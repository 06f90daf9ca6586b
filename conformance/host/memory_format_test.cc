#include "conformance/host/memory_format.h"

#include <gtest/gtest.h>

#include <set>

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

// Three elements, after one level of the dense order each.
TEST(MemoryFormat, EachGapIsAlone) {
  using F = MemoryFormat;
  const Shape shape = {2, 3, 4, 5};
  using Strides = std::vector<int64_t>;
  EXPECT_EQ(StridesOf(shape, 1, F::kRowGaps), (Strides{96, 32, 8, 1}));
  EXPECT_EQ(StridesOf(shape, 1, F::kPlaneGaps), (Strides{69, 23, 5, 1}));
  EXPECT_EQ(StridesOf(shape, 4, F::kImageGaps), (Strides{252, 80, 20, 4}));
  EXPECT_EQ(StridesOf(shape, 1, F::kPadded), (Strides{120, 1, 30, 6}));
  EXPECT_EQ(StridesOf(shape, 1, F::kPermuted), (Strides{1, 2, 6, 24}));
  EXPECT_EQ(StridesOf(shape, 1, F::kApart), (Strides{240, 80, 20, 4}));
  EXPECT_EQ(StridesOf({3, 4, 5}, 1, F::kPlaneGaps), (Strides{23, 5, 1}));
  EXPECT_EQ(StridesOf({3, 4}, 1, F::kImageGaps), (Strides{7, 1}));
  EXPECT_EQ(StridesOf({2, 2, 3, 4, 5}, 1, F::kPlaneGaps), (Strides{138, 69, 23, 5, 1}));
  EXPECT_EQ(StridesOf({2, 2, 3, 4, 5}, 1, F::kImageGaps), (Strides{123, 60, 20, 5, 1}));
}

TEST(MemoryFormat, StridedFormatsDiffer) {
  const Shape shape = {2, 3, 4, 5};
  for (int rank = 0; rank <= 4; ++rank) {
    const Shape own(shape.begin(), shape.begin() + rank);
    std::set<std::vector<int64_t>> strides = {
        StridesOf(own, 1, MemoryFormat::kContiguous),
        StridesOf(own, 1, MemoryFormat::kChannelsLast)};
    const size_t before = strides.size();
    for (const MemoryFormat format : StridedFormats(rank))
      strides.insert(StridesOf(own, 1, format));
    EXPECT_EQ(strides.size() - before, StridedFormats(rank).size()) << rank;
  }
  EXPECT_EQ(StridedFormats(0).size(), 0u);
  EXPECT_EQ(StridedFormats(4).size(), 6u);
}

TEST(MemoryFormat, AllowedFollowsTheAnswer) {
  using F = MemoryFormat;
  const F strided = F::kPlaneGaps;
  EXPECT_EQ(AllowedFormats(0, 4, strided), std::vector<F>{F::kContiguous});
  EXPECT_EQ(AllowedFormats(QC_CHANNELS_LAST, 4, strided),
            std::vector<F>{F::kChannelsLast});
  EXPECT_EQ(AllowedFormats(QC_CHANNELS_LAST, 2, strided), std::vector<F>{F::kContiguous});
  EXPECT_EQ(AllowedFormats(QC_ANY_STRIDE, 4, strided),
            (std::vector<F>{F::kContiguous, F::kChannelsLast, strided}));
}

TEST(MemoryFormat, GatherUndoesScatter) {
  const Shape shape = {2, 3, 2, 2};
  std::vector<std::byte> dense(24);
  for (size_t i = 0; i < dense.size(); ++i) dense[i] = static_cast<std::byte>(i + 1);
  std::vector<MemoryFormat> formats = StridedFormats(4);
  formats.push_back(MemoryFormat::kContiguous);
  formats.push_back(MemoryFormat::kChannelsLast);
  for (const MemoryFormat format : formats) {
    const auto strides = StridesOf(shape, 1, format);
    const bool is_dense = format == MemoryFormat::kContiguous ||
                          format == MemoryFormat::kChannelsLast ||
                          format == MemoryFormat::kPermuted;
    const size_t extent = ExtentOf(shape, strides, 1);
    EXPECT_EQ(extent == dense.size(), is_dense) << MemoryFormatName(format);
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
