// What holds for every operator of the scalar definition.
#include "reference/numerics/scalar_operator.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

TEST(Operators, TakeSizesOfZero) {
  TestTensor x = TestTensor::Codes(QC_U8, {0, 4}, {}, 1.0f, 0);
  TestTensor w = TestTensor::Codes(QC_S8, {3, 4}, Codes(12, 1), 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_U8, {0, 3}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w}, y).status, QC_OK);
  TestTensor rows = TestTensor::Codes(QC_U8, {2, 10}, Codes(20, 1), 1.0f, 0);
  TestTensor none = TestTensor::Codes(QC_S8, {0, 10}, {}, 1.0f, 0);
  TestTensor empty = TestTensor::Codes(QC_U8, {2, 0}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&rows, &none}, empty).status,
            QC_OK);
  // Without features the result is the bias.
  TestTensor nothing = TestTensor::Codes(QC_U8, {2, 0}, {}, 1.0f, 0);
  TestTensor no_weight = TestTensor::Codes(QC_S8, {2, 0}, {}, 1.0f, 0);
  TestTensor bias = TestTensor::Real({2}, {3.0f, 7.0f});
  TestTensor out = TestTensor::Codes(QC_U8, {2, 2}, Codes(4, 0), 1.0f, 1);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&nothing, &no_weight, &bias}, out)
                .status,
            QC_OK);
  EXPECT_EQ(out.integers(), (Codes{4, 8, 4, 8}));
  // A dynamic input without elements has the range [0, 0].
  qc_attributes dynamic = EmptyAttributes();
  dynamic.dynamic = 1;
  TestTensor real = TestTensor::Real({0, 4}, {});
  TestTensor result = TestTensor::Real({0, 3}, {});
  EXPECT_EQ(RunOperator(QC_LINEAR, dynamic, {&real, &w}, result).reason, "");
  qc_attributes conv = ConvAttributes(2, 1);
  TestTensor images = TestTensor::Codes(QC_U8, {0, 2, 5, 5}, {}, 1.0f, 0);
  TestTensor kernel = TestTensor::Codes(QC_S8, {3, 2, 3, 3}, Codes(54, 1), 1.0f, 0);
  TestTensor maps = TestTensor::Codes(QC_U8, {0, 3, 5, 5}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_CONV, conv, {&images, &kernel}, maps).reason, "");
  conv.kernel[0] = conv.kernel[1] = 3;
  TestTensor pooled = TestTensor::Codes(QC_U8, {0, 2, 5, 5}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_MAX_POOL, conv, {&images}, pooled).reason, "");
  EXPECT_EQ(RunOperator(QC_AVG_POOL, conv, {&images}, pooled).reason, "");
  EXPECT_EQ(RunOperator(QC_ADD, EmptyAttributes(), {&images, &images}, pooled).reason,
            "");
  EXPECT_EQ(RunOperator(QC_RELU, EmptyAttributes(), {&images}, pooled).reason, "");
}

// The same bytes from one thread and from several, on an operator large enough to be
// shared.
TEST(Operators, DoNotDependOnTheNumberOfThreads) {
  std::mt19937 random(9);
  Codes input, weights;
  for (int i = 0; i < 4 * 8 * 20 * 20; ++i) {
    input.push_back(static_cast<int32_t>(random() % 256));
  }
  for (int i = 0; i < 16 * 8 * 9; ++i) {
    weights.push_back(static_cast<int32_t>(random() % 256) - 128);
  }
  TestTensor x = TestTensor::Codes(QC_U8, {4, 8, 20, 20}, input, 0.1f, 77);
  TestTensor w = TestTensor::Codes(QC_S8, {16, 8, 3, 3}, weights, 0.01f, 0);
  const qc_attributes a = ConvAttributes(2, 1);
  const int threads = omp_get_max_threads();
  for (const char* scheme : {kFloatBiasSchemeName, kRealSchemeName}) {
    std::vector<Codes> results;
    for (const int count : {1, 2, 3}) {
      omp_set_num_threads(count);
      TestTensor y =
          TestTensor::Codes(QC_U8, {4, 16, 20, 20}, Codes(25600, 0), 0.9f, 128);
      ASSERT_EQ(RunOperator(QC_CONV, a, {&x, &w}, y, scheme).status, QC_OK);
      results.push_back(y.integers());
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
  omp_set_num_threads(threads);
}

TEST(Operators, RefuseWhatHasNoDefinition) {
  TestTensor x = TestTensor::Codes(QC_U8, {2}, {1, 2}, 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_U8, {3}, {0, 0, 0}, 1.0f, 0);
  EXPECT_NE(RunOperator(QC_RELU, EmptyAttributes(), {&x}, y).reason, "");
  EXPECT_NE(RunOperator(QC_LSTM, EmptyAttributes(), {&x}, x).reason, "");
  EXPECT_NE(RunOperator(QC_RELU, EmptyAttributes(), {&x}, x, "no/such").reason, "");
}

}  // namespace
}  // namespace qconform
