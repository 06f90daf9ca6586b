#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

std::string Difference(const std::string& file, TestTensor& a, TestTensor& b,
                       TestTensor& y, int threads = 1) {
  const LoadedBackend backend(file);
  OperatorTest test{QC_MATMUL};
  test.inputs = {&a, &b};
  test.outputs = {&y};
  test.threads = threads;
  return DifferenceFromScalar(backend, test);
}

// Codes, or one time in six f32.
TestTensor Values(RandomTensors& random, const std::vector<int64_t>& shape) {
  if (!random.OneIn(6)) return random.Codes(shape);
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = random.Real(-2.0f, 2.0f);
  return TestTensor::Real(shape, values);
}

// The output's scale is of the size of the sums.
TestTensor Sums(RandomTensors& random, const std::vector<int64_t>& shape) {
  TestTensor y = Values(random, shape);
  if (y.get().dtype != QC_F32) {
    const int32_t least = y.get().dtype == QC_S8 ? -128 : 0;
    y.Quantize({random.OneIn(2) ? 8.0f : random.Real(0.5f, 40.0f)},
               {static_cast<int32_t>(random.Below(256)) + least});
  }
  return y;
}

TEST(Matmul, RandomMatricesAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    std::vector<int64_t> a, b, y;
    for (int64_t i = random.Below(4); i > 0; --i) {
      const int64_t size = random.OneIn(30) ? 0 : 1 + random.Below(4);
      a.push_back(random.OneIn(3) ? 1 : size);
      b.push_back(random.OneIn(3) ? 1 : size);
      y.push_back(a.back() == 1 ? b.back() : a.back());
    }
    const int64_t m = random.OneIn(30) ? 0 : 1 + random.Below(20);
    const int64_t n = random.OneIn(30) ? 0 : 1 + random.Below(40);
    const int64_t k = random.OneIn(20) ? random.Below(2) : 1 + random.Below(70);
    for (auto* shape : {&a, &y}) shape->push_back(m);
    for (auto* shape : {&a, &b}) shape->push_back(k);
    for (auto* shape : {&b, &y}) shape->push_back(n);
    TestTensor first = Values(random, a);
    TestTensor second = Values(random, b);
    TestTensor result = Sums(random, y);
    ASSERT_EQ(Difference(kHalideBackend, first, second, result), "") << "seed " << seed;
  }
}

// Sums are taken in blocks of 256 products.
TEST(Matmul, DepthsAroundTheBlock) {
  for (const int64_t k : {255, 256, 257, 511, 512, 513, 1300}) {
    RandomTensors random(static_cast<uint32_t>(k));
    TestTensor a = random.Codes({3, k});
    TestTensor b = random.Codes({k, 21});
    TestTensor y(QC_F32, {3, 21});
    EXPECT_EQ(Difference(kHalideBackend, a, b, y), "") << k;
  }
}

// Attention: queries by keys that lie transposed in memory.
TEST(Matmul, TransposedFactor) {
  RandomTensors random(5);
  TestTensor a =
      TestTensor::Codes(QC_U8, {2, 3, 19, 16}, PatternCodes(2 * 3 * 19 * 16), 0.05f, 120);
  TestTensor b = TestTensor::Codes(
      QC_U8, {2, 3, 16, 23}, PatternCodes(2 * 3 * 16 * 23, 5), 0.04f, 130, {0, 1, 3, 2});
  TestTensor y(QC_U8, {2, 3, 19, 23});
  y.Quantize({0.25f}, {100});
  EXPECT_EQ(Difference(kHalideBackend, a, b, y), "");
}

// Rows of an output that is part of a larger one, in which the kernels write at once.
TEST(Matmul, PartOfAnOutput) {
  RandomTensors random(8);
  for (const qc_dtype dtype : {QC_U8, QC_F32}) {
    for (const int64_t n : {1, 5, 16, 31, 33}) {
      TestTensor a = random.Codes({2, 7, 30});
      TestTensor b = random.Codes({2, 30, n});
      TestTensor y(dtype, {2, 9, n + 20});
      if (dtype == QC_U8) y.Quantize({4.0f}, {128});
      y.get().shape[1] = 7;
      y.get().shape[2] = n;
      EXPECT_EQ(Difference(kHalideBackend, a, b, y), "") << n;
    }
  }
}

TEST(Matmul, ValuesBeyondFloat32) {
  TestTensor a = TestTensor::Codes(QC_U8, {9, 12}, PatternCodes(108), 1e20f, 100);
  TestTensor b = TestTensor::Codes(QC_S8, {12, 9}, PatternCodes(108, 5, -128), 1e18f, 3);
  TestTensor y(QC_S8, {9, 9});
  y.Quantize({0.01f}, {9});
  EXPECT_EQ(Difference(kHalideBackend, a, b, y), "");
}

TEST(Matmul, ThreadsDoNotChangeTheBits) {
  RandomTensors random(3);
  TestTensor a = random.Codes({3, 70, 90});
  TestTensor b = random.Codes({1, 90, 110});
  TestTensor y = Sums(random, {3, 70, 110});
  for (const int threads : {1, 2, 5})
    EXPECT_EQ(Difference(kHalideBackend, a, b, y, threads), "") << threads;
}

TEST(Matmul, WrongRoundingIsCaught) {
  int caught = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    TestTensor a = TestTensor::Codes(QC_U8, {20, 5}, PatternCodes(100, 3), 0.25f, 120);
    TestTensor b = TestTensor::Codes(QC_S8, {5, 20}, PatternCodes(100, 5, -128), 0.5f, 0);
    TestTensor y(QC_U8, {20, 20});
    y.Quantize({std::ldexp(1.0f, static_cast<int>(seed % 8))}, {128});
    const std::string difference = Difference(kWrongRoundingBackend, a, b, y);
    if (difference.empty()) continue;
    ASSERT_NE(difference.find(", expected "), std::string::npos) << difference;
    ++caught;
  }
  EXPECT_GT(caught, 0);
}

}  // namespace
}  // namespace qconform::kernels
