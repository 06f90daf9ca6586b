#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

struct Pool {
  qc_operator_kind kind = QC_MAX_POOL;
  Shape x;
  Shape y = {};  // see Measure
  qc_attributes attributes = EmptyAttributes();
};

// What ReadWindows expects, or -1.
int64_t OutputSize(const qc_attributes& a, int i, int64_t input) {
  const int64_t dilation = a.dilation[i] == 0 ? 1 : a.dilation[i];
  const int64_t stride = a.stride[i] == 0 ? a.kernel[i] : a.stride[i];
  const int64_t span =
      input + a.padding_before[i] + a.padding_after[i] - dilation * (a.kernel[i] - 1) - 1;
  if (span < 0) return -1;
  int64_t size = (a.ceil_mode != 0 ? span + stride - 1 : span) / stride + 1;
  if (a.ceil_mode != 0 && (size - 1) * stride >= input + a.padding_before[i]) --size;
  return size;
}

// Fills in the sizes of y; whether the windows fit.
bool Measure(Pool& pool) {
  const int spatial = pool.attributes.spatial_rank;
  const size_t leading = pool.x.size() - static_cast<size_t>(spatial);
  pool.y.assign(pool.x.begin(), pool.x.begin() + static_cast<int64_t>(leading));
  for (int i = 0; i < spatial; ++i) {
    pool.y.push_back(
        OutputSize(pool.attributes, i, pool.x[leading + static_cast<size_t>(i)]));
    if (pool.y.back() < 0) return false;
  }
  return true;
}

bool RandomPool(RandomTensors& random, qc_operator_kind kind, Pool& pool) {
  pool.kind = kind;
  qc_attributes& a = pool.attributes;
  a.spatial_rank = 1 + static_cast<int32_t>(random.Below(3));
  const int64_t largest[] = {60, 20, 8};
  if (!random.OneIn(8)) pool.x.push_back(random.OneIn(20) ? 0 : 1 + random.Below(3));
  pool.x.push_back(random.OneIn(3) ? 1 + random.Below(90) : 1 + random.Below(12));
  for (int i = 0; i < a.spatial_rank; ++i)
    pool.x.push_back(random.OneIn(40) ? 0
                                      : 1 + random.Below(largest[a.spatial_rank - 1]));
  if (kind == QC_ADAPTIVE_AVG_POOL) {
    pool.y = pool.x;
    for (int i = 0; i < a.spatial_rank; ++i) {
      int64_t& size = pool.y[pool.y.size() - static_cast<size_t>(i) - 1];
      if (size > 0) size = 1 + random.Below(random.OneIn(4) ? size + 3 : size);
    }
    return true;
  }
  a.ceil_mode = random.OneIn(2) ? 1 : 0;
  a.count_include_pad = random.OneIn(2) ? 1 : 0;
  a.divisor_override = random.OneIn(5) ? 1 + random.Below(9) : 0;
  for (int i = 0; i < a.spatial_rank; ++i) {
    a.kernel[i] = 1 + random.Below(random.OneIn(6) ? 9 : 4);
    a.stride[i] = random.Below(4);
    a.dilation[i] = kind == QC_MAX_POOL ? random.Below(4) : random.Below(2);
    a.padding_before[i] = random.Below(a.kernel[i] / 2 + 1);
    a.padding_after[i] =
        random.OneIn(4) ? random.Below(a.kernel[i] / 2 + 1) : a.padding_before[i];
  }
  return Measure(pool);
}

std::vector<int> ChannelsLast(size_t rank, int spatial) {
  std::vector<int> order;
  const int channel = static_cast<int>(rank) - spatial - 1;
  for (int i = 0; i < static_cast<int>(rank); ++i)
    if (i != channel) order.push_back(i);
  order.push_back(channel);
  return order;
}

std::string Difference(const std::string& file, RandomTensors& random, const Pool& pool,
                       int threads = 1, const std::string& scheme = "") {
  const LoadedBackend backend(file);
  const bool last = random.OneIn(3);
  const auto order = ChannelsLast(pool.x.size(), pool.attributes.spatial_rank);
  TestTensor x = last ? random.Codes(pool.x, order) : random.Codes(pool.x);
  TestTensor y = last ? random.Codes(pool.y, order) : random.Codes(pool.y);
  if (random.OneIn(2) && pool.kind == QC_MAX_POOL) {
    const bool same = x.get().dtype == y.get().dtype;
    if (same) {
      y.Quantize({x.get().scale[0]}, {x.get().zero_point[0]});
      y.get().quant_min = x.get().quant_min;
      y.get().quant_max = x.get().quant_max;
    }
  }
  OperatorTest test{pool.kind, pool.attributes};
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  test.scheme = scheme;
  return DifferenceFromScalar(backend, test);
}

class EveryPool : public testing::TestWithParam<qc_operator_kind> {};

TEST_P(EveryPool, RandomWindowsAreExactOnEveryPath) {
  int fitting = 0;
  for (uint32_t seed = 0; seed < 900; ++seed) {
    RandomTensors random(seed);
    Pool pool;
    if (!RandomPool(random, GetParam(), pool)) continue;
    ++fitting;
    ASSERT_EQ(Difference(kHalideBackend, random, pool), "") << "seed " << seed;
  }
  EXPECT_GT(fitting, 300);
}

TEST_P(EveryPool, ThreadsDoNotChangeTheBits) {
  for (const int threads : {1, 2, 5})
    for (uint32_t seed = 0; seed < 6; ++seed) {
      RandomTensors random(seed);
      Pool pool{GetParam(), {2, 37, 41, 43}};
      qc_attributes& a = pool.attributes;
      a.spatial_rank = 2;
      for (int i = 0; i < 2; ++i) {
        a.kernel[i] = 3;
        a.stride[i] = 1 + static_cast<int64_t>(seed % 2);
        a.padding_before[i] = a.padding_after[i] = 1;
      }
      Measure(pool);
      if (pool.kind == QC_ADAPTIVE_AVG_POOL) pool.y = {2, 37, 5, seed % 2 == 0 ? 43 : 6};
      EXPECT_EQ(Difference(kHalideBackend, random, pool, threads), "")
          << threads << " seed " << seed;
    }
}

std::string NameOf(const testing::TestParamInfo<qc_operator_kind>& info) {
  return info.param == QC_MAX_POOL   ? "Max"
         : info.param == QC_AVG_POOL ? "Average"
                                     : "Adaptive";
}
INSTANTIATE_TEST_SUITE_P(Pool, EveryPool,
                         testing::Values(QC_MAX_POOL, QC_AVG_POOL, QC_ADAPTIVE_AVG_POOL),
                         NameOf);

// Two taps so far apart that both lie in the padding: nothing is inside of the window.
// Rows of every length up to more than two vectors, several to a block and one.
TEST(Pool, MaximaAlongRowsOfEveryLength) {
  for (const int64_t kernel : {2, 3, 5})
    for (const int64_t stride : {1, 2, 3})
      for (const int64_t padding : {0, 1})
        for (int64_t width = 5; width < 150; width += 1 + width / 24) {
          RandomTensors random(static_cast<uint32_t>(width));
          Pool pool{QC_MAX_POOL, {3, 9, width > 142 ? 9'000 : width}};
          qc_attributes& a = pool.attributes;
          a.spatial_rank = 2;
          for (int i = 0; i < 2; ++i) {
            a.kernel[i] = kernel;
            a.stride[i] = stride;
            a.padding_before[i] = a.padding_after[i] = padding;
          }
          ASSERT_TRUE(Measure(pool));
          ASSERT_EQ(Difference(kHalideBackend, random, pool), "")
              << kernel << " " << stride << " " << padding << " " << width;
        }
}

TEST(Pool, WindowsOfPaddingAlone) {
  for (const qc_operator_kind kind : {QC_MAX_POOL, QC_AVG_POOL})
    for (const int64_t channels : {1, 40})
      for (uint32_t seed = 0; seed < 20; ++seed) {
        RandomTensors random(seed);
        const bool empty = kind == QC_AVG_POOL;
        Pool pool{kind, {1, channels, empty ? 0 : 3, 3}};
        qc_attributes& a = pool.attributes;
        a.spatial_rank = 2;
        a.count_include_pad = static_cast<int32_t>(seed % 2);
        for (int i = 0; i < 2; ++i) {
          a.kernel[i] = 2;
          a.stride[i] = 1;
          a.dilation[i] = empty ? 1 : 4;
          a.padding_before[i] = a.padding_after[i] = 1;
        }
        ASSERT_TRUE(Measure(pool));
        EXPECT_EQ(Difference(kHalideBackend, random, pool), "") << kind << seed;
      }
}

TEST(Pool, MaximaUnderAnotherSchemeAndMeansWithoutOne) {
  RandomTensors random(1);
  Pool pool{QC_MAX_POOL, {1, 20, 9, 9}};
  pool.attributes.spatial_rank = 2;
  pool.attributes.kernel[0] = pool.attributes.kernel[1] = 3;
  Measure(pool);
  const std::string away = "real/one/away/bias_f32/zp_before";
  EXPECT_EQ(Difference(kHalideBackend, random, pool, 1, away), "");
  pool.kind = QC_AVG_POOL;
  EXPECT_NE(Difference(kHalideBackend, random, pool, 1, away).find("the scheme is real"),
            std::string::npos);
}

TEST(Pool, WrongRoundingIsCaught) {
  int caught = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    RandomTensors random(seed);
    Pool pool{QC_AVG_POOL, {1, 24, 8, 8}};
    pool.attributes.spatial_rank = 2;
    pool.attributes.kernel[0] = pool.attributes.kernel[1] = 2;
    Measure(pool);
    const std::string difference = Difference(kWrongRoundingBackend, random, pool);
    if (difference.empty()) continue;
    ASSERT_NE(difference.find(", expected "), std::string::npos) << difference;
    ++caught;
  }
  EXPECT_GT(caught, 0);
}

std::string MeanDifference(RandomTensors& random, const Shape& shape, uint32_t mask,
                           int threads = 1) {
  static const LoadedBackend backend(kHalideBackend);
  OperatorTest test{QC_MEAN};
  test.attributes.axis_mask = mask;
  test.attributes.keep_dimensions = random.OneIn(2) ? 1 : 0;
  Shape kept;
  for (size_t i = 0; i < shape.size(); ++i) {
    if ((mask >> i & 1u) == 0) {
      kept.push_back(shape[i]);
    } else if (test.attributes.keep_dimensions != 0) {
      kept.push_back(1);
    }
  }
  TestTensor x = random.Codes(shape);
  TestTensor y = random.Codes(kept);
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  return DifferenceFromScalar(backend, test);
}

TEST(Mean, RandomAxesAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    RandomTensors random(seed);
    const Shape shape = random.Shape(4, 24);
    const auto mask = static_cast<uint32_t>(random.Below(int64_t{1} << shape.size()));
    ASSERT_EQ(MeanDifference(random, shape, mask), "") << "seed " << seed;
  }
}

// All levels of the cascade, columns in whole blocks and rests, long and short rows.
TEST(Mean, LongSumsAreExact) {
  struct Row {
    Shape shape;
    uint32_t mask;
  };
  for (const Row& row : std::vector<Row>{{{3, 40'007}, 2},
                                         {{70'003}, 1},
                                         {{20'011, 3}, 1},
                                         {{2'100, 45}, 1},
                                         {{5'000, 7}, 1},
                                         {{2, 1'100, 5, 9}, 2},
                                         {{1, 70, 29, 31}, 12},
                                         {{1, 3, 112, 112}, 12},
                                         {{6, 512, 14, 14}, 12},
                                         {{2, 5, 7, 7}, 12},
                                         {{1, 64, 7, 7}, 12},
                                         {{40, 3, 2, 50}, 5},
                                         {{0, 4}, 1},
                                         {{4, 0}, 1}}) {
    for (uint32_t seed = 0; seed < 8; ++seed) {
      RandomTensors random(seed);
      EXPECT_EQ(
          MeanDifference(random, row.shape, row.mask, 1 + static_cast<int>(seed % 3)), "")
          << row.shape[0] << " " << row.shape.size() << " seed " << seed;
    }
  }
}

// Values whose second half takes back the first: what is left is the rounding of every
// single addition, and scales of the output that show it.
std::string RoundingDifference(qc_operator_kind kind, const Shape& from, const Shape& to,
                               int64_t columns, float scale) {
  static const LoadedBackend backend(kHalideBackend);
  RandomTensors random(9);
  TestTensor x(QC_U8, from);
  x.Quantize({0.1f}, {128});
  std::vector<int32_t> codes(static_cast<size_t>(ElementCount(x.get())));
  const size_t half =
      codes.size() / 2 / static_cast<size_t>(columns) * static_cast<size_t>(columns);
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = i < half       ? 1 + static_cast<int32_t>(random.Below(255))
               : i < 2 * half ? 256 - codes[i - half]
                              : 128;
  WriteIntegers(x.get(), codes);
  TestTensor y(QC_S8, to);
  y.Quantize({scale}, {0});
  OperatorTest test{kind};
  test.attributes.axis_mask = columns == 1 ? 2 : 1;
  test.attributes.spatial_rank = 1;
  test.attributes.kernel[0] = from.back();
  test.inputs = {&x};
  test.outputs = {&y};
  return DifferenceFromScalar(backend, test);
}

TEST(Mean, EveryAdditionIsRoundedInOrder) {
  for (float scale = 1e-3f; scale > 1e-10f; scale /= 4)
    for (const int64_t n : {7, 41, 300, 5'000, 40'007}) {
      EXPECT_EQ(RoundingDifference(QC_MEAN, {1, n}, {1}, 1, scale), "") << n << scale;
      EXPECT_EQ(RoundingDifference(QC_MEAN, {n, 45}, {45}, 45, scale), "") << n << scale;
      EXPECT_EQ(RoundingDifference(QC_MEAN, {n, 7}, {7}, 7, scale), "") << n << scale;
      EXPECT_EQ(RoundingDifference(QC_AVG_POOL, {1, 1, n}, {1, 1, 1}, 1, scale), "")
          << n << scale;
    }
}

// Integer sums alone do not know on which side of the middle of two codes float32 ends.
TEST(Mean, CodesInTheMiddleAreDecidedInOrder) {
  static const LoadedBackend backend(kHalideBackend);
  for (const qc_operator_kind kind : {QC_MEAN, QC_AVG_POOL, QC_ADAPTIVE_AVG_POOL})
    for (const auto& order : {std::vector<int>{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}})
      for (const int64_t width : {5, 8, 28})
        for (const qc_dtype dtype : {QC_U8, QC_S8}) {
          RandomTensors random(static_cast<uint32_t>(width));
          const int32_t least = dtype == QC_S8 ? -128 : 0;
          TestTensor x(dtype, {2, 83, 8, width}, order);
          TestTensor y(dtype, {2, 83, 1, 1}, order);
          x.Quantize({0.1f}, {least + 3});
          y.Quantize({0.1f}, {least + 3});
          std::vector<int32_t> codes(static_cast<size_t>(ElementCount(x.get())));
          for (int32_t& code : codes)
            code = static_cast<int32_t>(random.Below(256)) + least;
          WriteIntegers(x.get(), codes);
          OperatorTest test{kind};
          test.attributes.axis_mask = 12;
          test.attributes.keep_dimensions = 1;
          test.attributes.spatial_rank = 2;
          test.attributes.kernel[0] = 8;
          test.attributes.kernel[1] = width;
          test.inputs = {&x};
          test.outputs = {&y};
          test.threads = 2;
          EXPECT_EQ(DifferenceFromScalar(backend, test), "")
              << kind << " " << width << " " << order[1];
        }
}

}  // namespace
}  // namespace qconform::kernels
