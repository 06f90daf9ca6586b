#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

std::string Difference(const std::string& file, TestTensor& x, TestTensor& y,
                       int64_t axis, int threads = 1) {
  const LoadedBackend backend(file);
  OperatorTest test{QC_SOFTMAX};
  test.attributes.axis = axis;
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  return DifferenceFromScalar(backend, test);
}

TEST(Softmax, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomTensors random(seed);
    const auto shape = random.Shape(4, 18);
    TestTensor x = random.Codes(shape);
    TestTensor y = random.Codes(shape);
    if (random.OneIn(2)) y.Quantize({1.0f / 256}, {y.get().dtype == QC_S8 ? -128 : 0});
    const int64_t axis = shape.empty() ? 0 : random.Below(shape.size());
    ASSERT_EQ(
        Difference(kHalideBackend, x, y, axis, 1 + static_cast<int>(random.Below(3))), "")
        << "seed " << seed;
  }
}

// Rows shorter and longer than a table and a chunk; few codes and all of them.
TEST(Softmax, LongRowsAreExactWithThreads) {
  for (const int64_t width : {1, 2, 128, 255, 256, 400, 1001, 70'000})
    for (const int range : {1, 9, 256})
      for (const int64_t axis : {0, 1}) {
        const int64_t rows = width > 1000 ? 3 : 150;
        const std::vector<int64_t> shape = axis == 0 ? std::vector<int64_t>{width, rows}
                                                     : std::vector<int64_t>{rows, width};
        Codes codes = PatternCodes(width * rows);
        for (int32_t& code : codes) code = 100 % range + code % range;
        TestTensor x = TestTensor::Codes(QC_U8, shape, codes, 0.05f, 77);
        TestTensor y(QC_U8, shape);
        y.Quantize({1.0f / 256}, {0});
        for (const int threads : {1, 2, 5})
          EXPECT_EQ(Difference(kHalideBackend, x, y, axis, threads), "")
              << width << " " << range << " " << axis << " " << threads;
      }
}

// Exponentials of nothing but zeros beside the largest; values beyond float32.
TEST(Softmax, ExtremeScales) {
  for (const float scale : {1e-45f, 1e-30f, 3.0f, 1e30f, 1e37f, 3e38f})
    for (const int32_t zero_point : {0, 77, 255}) {
      TestTensor x =
          TestTensor::Codes(QC_U8, {4, 128}, PatternCodes(512), scale, zero_point);
      TestTensor y(QC_S8, {4, 128});
      y.Quantize({1.0f / 256}, {-100});
      EXPECT_EQ(Difference(kHalideBackend, x, y, 1), "") << scale << " " << zero_point;
    }
}

TEST(Softmax, WrongRoundingIsCaught) {
  TestTensor x = TestTensor::Codes(QC_U8, {2}, {5, 5}, 1.0f, 0);
  TestTensor y(QC_U8, {2});
  y.Quantize({0.2f}, {0});  // 1/2 is 2.5 codes
  const std::string difference = Difference(kWrongRoundingBackend, x, y, 0);
  EXPECT_NE(difference.find("element 0 is 3, expected 2"), std::string::npos)
      << difference;
}

}  // namespace
}  // namespace qconform::kernels
