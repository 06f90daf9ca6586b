#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Of many sizes, with what has no ordinary code among it.
std::vector<float> Values(RandomTensors& random, int64_t count, bool special) {
  const float reach = std::ldexp(1.0f, static_cast<int>(random.Below(8)) - 2);
  const float odd[] = {NAN,    kInfinity, -kInfinity, 0.0f,   -0.0f, 4294967296.0f,
                       -1e30f, 1e30f,     1e-40f,     -3e38f, 0.5f,  -2147483648.0f};
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    value = random.Real(-reach, reach);
    // Halves and quarters make ties.
    if (random.OneIn(2)) value = std::rint(value * 16) / 16;
    if (special && random.OneIn(4)) value = odd[random.Below(std::size(odd))];
  }
  return values;
}

std::vector<int> Order(RandomTensors& random, size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank > 1 && random.OneIn(2)) std::swap(order.front(), order.back());
  return order;
}

TestTensor RealTensor(RandomTensors& random, const std::vector<int64_t>& shape,
                      bool special) {
  // A gap of two bytes leaves floats where no float should lie.
  TestTensor tensor(QC_F32, shape, Order(random, shape.size()),
                    random.OneIn(4) ? 2 * random.Below(3) : 0);
  WriteReal(tensor.get(), Values(random, ElementCount(tensor.get()), special),
            *ParseScheme(kRealSchemeName));
  return tensor;
}

// u8, s8 or s32, per tensor or along an axis.
TestTensor CodeTensor(RandomTensors& random, const std::vector<int64_t>& shape) {
  const qc_dtype dtypes[] = {QC_U8, QC_S8, QC_S32};
  const qc_dtype dtype = dtypes[random.Below(3)];
  TestTensor tensor(dtype, shape, Order(random, shape.size()), random.OneIn(4) ? 4 : 0);
  const int axis = shape.empty() || random.OneIn(2)
                       ? -1
                       : static_cast<int>(random.Below(shape.size()));
  const int64_t count = axis < 0 ? 1 : shape[axis];
  const int32_t least = dtype == QC_U8 ? 0 : dtype == QC_S8 ? -128 : -2147483647 - 1;
  const bool large = dtype == QC_S32 && random.OneIn(3);
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  scales.reserve(1);  // no scales are scales too: not nullptr
  for (int64_t i = 0; i < count; ++i) {
    scales.push_back(random.OneIn(2)
                         ? std::ldexp(1.0f, static_cast<int>(random.Below(6)) - 4)
                         : random.Real(0.005f, 0.3f));
    zero_points.push_back(
        large
            ? static_cast<int32_t>(random.Below(int64_t{1} << 32) + least)
            : static_cast<int32_t>(random.Below(256) + (dtype == QC_S32 ? -100 : least)));
  }
  tensor.Quantize(std::move(scales), std::move(zero_points), axis);
  std::vector<int32_t> codes(static_cast<size_t>(ElementCount(tensor.get())));
  for (int32_t& code : codes) {
    code = static_cast<int32_t>(random.Below(large ? int64_t{1} << 32 : 256) +
                                (large || dtype != QC_S32 ? least : 0));
  }
  WriteIntegers(tensor.get(), codes);
  if (random.OneIn(6)) {
    tensor.get().quant_min = dtype == QC_U8 ? 3 : -90;
    tensor.get().quant_max = 100;
  }
  return tensor;
}

OperatorTest Call(qc_operator_kind kind, TestTensor& x, TestTensor& y, int threads) {
  OperatorTest test{kind};
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  return test;
}

TEST(Quantize, RandomTensorsAreExactOnEveryPath) {
  static const LoadedBackend backend(kHalideBackend);
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const auto shape = random.Shape(4, 14);
    TestTensor real = RealTensor(random, shape, random.OneIn(3));
    TestTensor codes = CodeTensor(random, shape);
    TestTensor others = CodeTensor(random, shape);
    ASSERT_EQ(DifferenceFromScalar(backend, Call(QC_DEQUANTIZE, codes, real, 1)), "")
        << "dequantize, seed " << seed;
    WriteReal(real.get(), Values(random, ElementCount(real.get()), random.OneIn(3)),
              *ParseScheme(kRealSchemeName));
    ASSERT_EQ(DifferenceFromScalar(backend, Call(QC_QUANTIZE, real, codes, 2)), "")
        << "quantize, seed " << seed;
    ASSERT_EQ(DifferenceFromScalar(backend, Call(QC_REQUANTIZE, codes, others, 1)), "")
        << "requantize, seed " << seed;
  }
}

TEST(Quantize, LongRowsAreExactWithThreads) {
  static const LoadedBackend backend(kHalideBackend);
  RandomTensors random(2);
  TestTensor real = TestTensor::Real({3, 40'013}, Values(random, 3 * 40'013, true));
  for (const qc_dtype dtype : {QC_U8, QC_S8, QC_S32})
    for (const int axis : {-1, 0, 1})
      for (const int threads : {1, 2, 5}) {
        TestTensor codes(dtype, {3, 40'013});
        std::vector<float> scales(axis < 0 ? 1 : axis == 0 ? 3 : 40'013);
        for (float& scale : scales) scale = random.Real(0.01f, 0.2f);
        codes.Quantize(scales, std::vector<int32_t>(scales.size(), 7), axis);
        EXPECT_EQ(DifferenceFromScalar(backend, Call(QC_QUANTIZE, real, codes, threads)),
                  "")
            << dtype << " " << axis << " " << threads;
      }
}

std::string DynamicDifference(TestTensor& x, TestTensor& codes, bool reduce_range,
                              int threads) {
  static const LoadedBackend backend(kHalideBackend);
  TestTensor scale(QC_F32, {1});
  TestTensor zero_point(QC_S32, {1});
  OperatorTest test = Call(QC_DYNAMIC_QUANTIZE, x, codes, threads);
  test.attributes.reduce_range = reduce_range ? 1 : 0;
  test.outputs = {&codes, &scale, &zero_point};
  return DifferenceFromScalar(backend, test);
}

TEST(DynamicQuantize, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const auto shape = random.Shape(4, 14);
    TestTensor x = RealTensor(random, shape, random.OneIn(3));
    TestTensor codes(random.OneIn(2) ? QC_U8 : QC_S8, shape, Order(random, shape.size()),
                     random.OneIn(4) ? 3 : 0);
    ASSERT_EQ(DynamicDifference(x, codes, random.OneIn(3), 2), "") << "seed " << seed;
  }
}

TEST(DynamicQuantize, LongRowsAreExactWithThreads) {
  RandomTensors random(2);
  TestTensor x = TestTensor::Real({3, 40'013}, Values(random, 3 * 40'013, false));
  TestTensor codes(QC_U8, {3, 40'013});
  for (const int threads : {1, 2, 5})
    EXPECT_EQ(DynamicDifference(x, codes, false, threads), "") << threads;
}

// Ranges of one side, of one value, of nothing, without end, and of NaN alone.
TEST(DynamicQuantize, OddRanges) {
  for (const std::vector<float>& values : {std::vector<float>{},
                                           {0.0f},
                                           {-0.0f, 0.0f},
                                           {5.0f},
                                           {-5.0f},
                                           {NAN, NAN},
                                           {NAN, 1.0f},
                                           {kInfinity, 1.0f},
                                           {-kInfinity, kInfinity},
                                           {3e38f, -3e38f},
                                           {1e-42f},
                                           {-1e-7f, 1e-7f}})
    for (const qc_dtype dtype : {QC_U8, QC_S8}) {
      const auto count = static_cast<int64_t>(values.size());
      TestTensor x = TestTensor::Real({count}, values);
      TestTensor codes(dtype, {count});
      EXPECT_EQ(DynamicDifference(x, codes, false, 1), "")
          << count << " from " << (values.empty() ? 0.0f : values[0]);
    }
}

TEST(Quantize, WrongRoundingIsCaught) {
  static const LoadedBackend backend(kWrongRoundingBackend);
  for (const qc_dtype dtype : {QC_U8, QC_S32}) {
    TestTensor x = TestTensor::Real({4}, {0.5f, 1.5f, 2.5f, -0.5f});
    TestTensor y(dtype, {4});
    y.Quantize({1.0f}, {10});
    const std::string difference =
        DifferenceFromScalar(backend, Call(QC_QUANTIZE, x, y, 1));
    EXPECT_NE(difference.find("element 0 is 11, expected 10"), std::string::npos)
        << difference;
  }
}

}  // namespace
}  // namespace qconform::kernels
