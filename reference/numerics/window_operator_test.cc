// Public bug reports about pooling, as values of the scalar definition.
#include <gtest/gtest.h>

#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

// Average pooling: padding is real zero, and an odd zero point takes no part in ties.
TEST(AveragePool, CountsPaddingAsAsked) {
  qc_attributes a = ConvAttributes(2, 1);
  a.kernel[0] = a.kernel[1] = 2;
  for (const std::vector<int>& order :
       {std::vector<int>{}, std::vector<int>{0, 2, 3, 1}}) {
    TestTensor x =
        TestTensor::Codes(QC_U8, {1, 1, 2, 2}, {10, 11, 12, 14}, 0.5f, 3, order);
    TestTensor y = TestTensor::Codes(QC_U8, {1, 1, 3, 3}, Codes(9, 0), 0.5f, 3, order);
    a.count_include_pad = 1;
    ASSERT_EQ(RunOperator(QC_AVG_POOL, a, {&x}, y).reason, "");
    EXPECT_EQ(y.integers(), (Codes{5, 7, 5, 7, 12, 8, 5, 8, 6}));
    a.count_include_pad = 0;
    RunOperator(QC_AVG_POOL, a, {&x}, y);
    EXPECT_EQ(y.integers(), (Codes{10, 11, 11, 11, 12, 13, 12, 13, 14}));
  }
}

TEST(AveragePool, RoundsTiesBeforeTheZeroPoint) {
  const std::vector<std::pair<Codes, int32_t>> table = {
      {{10, 11}, 11}, {{11, 12}, 11}, {{0, 1}, 1}};
  qc_attributes pool = ConvAttributes(2, 0);
  pool.kernel[0] = 1;
  pool.kernel[1] = 2;
  qc_attributes mean = EmptyAttributes();
  mean.axis_mask = 0b1100;
  for (const auto& [codes, want] : table) {
    TestTensor x = TestTensor::Codes(QC_U8, {1, 1, 1, 2}, codes, 0.5f, 3);
    TestTensor y = TestTensor::Codes(QC_U8, {1, 1, 1, 1}, {0}, 0.5f, 3);
    RunOperator(QC_AVG_POOL, pool, {&x}, y);
    EXPECT_EQ(y.integers(), Codes{want});
    RunOperator(QC_ADAPTIVE_AVG_POOL, pool, {&x}, y);
    EXPECT_EQ(y.integers(), Codes{want});
    TestTensor flat = TestTensor::Codes(QC_U8, {1, 1}, {0}, 0.5f, 3);
    RunOperator(QC_MEAN, mean, {&x}, flat);
    EXPECT_EQ(flat.integers(), Codes{want});
  }
}

TEST(MaxPool, DropsWindowsOfPaddingAlone) {
  qc_attributes a = ConvAttributes(2, 1);
  a.kernel[0] = a.kernel[1] = a.stride[0] = a.stride[1] = 2;
  TestTensor x =
      TestTensor::Codes(QC_U8, {2, 3, 11, 9}, Codes(2 * 3 * 11 * 9, 7), 1.0f, 100);
  for (const int ceil_mode : {0, 1}) {
    a.ceil_mode = ceil_mode;
    TestTensor y = TestTensor::Codes(QC_U8, {2, 3, 6, 5}, Codes(180, 0), 1.0f, 100);
    ASSERT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, y).reason, "");
    // Codes below the zero point win over padding, which is below every code.
    EXPECT_EQ(y.integers(), Codes(180, 7));
    TestTensor wrong = TestTensor::Codes(QC_U8, {2, 3, 7, 6}, Codes(252, 0), 1.0f, 100);
    EXPECT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, wrong).status, QC_UNSUPPORTED);
  }
  a.padding_before[0] = a.padding_after[0] = 2;
  TestTensor y = TestTensor::Codes(QC_U8, {2, 3, 7, 5}, Codes(210, 0), 1.0f, 100);
  EXPECT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, y).status, QC_UNSUPPORTED);
}

}  // namespace
}  // namespace qconform
