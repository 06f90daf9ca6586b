// Public bug reports about elementwise operators, concat and movement, as values of the
// scalar definition.
#include <gtest/gtest.h>

#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

TEST(Relu, ClampsAtTheZeroPoint) {
  TestTensor x = TestTensor::Codes(QC_S8, {5}, {-128, -50, -20, 0, 60}, 0.1f, -20);
  TestTensor y = TestTensor::Codes(QC_S8, {5}, Codes(5, 0), 0.1f, -20);
  for (const char* scheme : {kCopySchemeName, kRealSchemeName}) {
    ASSERT_EQ(RunOperator(QC_RELU, EmptyAttributes(), {&x}, y, scheme).status, QC_OK);
    EXPECT_EQ(y.integers(), (Codes{-20, -20, -20, 0, 60}));
  }
  TestTensor high = TestTensor::Codes(QC_U8, {3}, {0, 200, 255}, 1.0f, 255);
  TestTensor all = TestTensor::Codes(QC_U8, {3}, {0, 0, 0}, 1.0f, 255);
  RunOperator(QC_RELU, EmptyAttributes(), {&high}, all);
  EXPECT_EQ(all.integers(), Codes(3, 255));
  TestTensor six = TestTensor::Codes(QC_U8, {4}, {0, 20, 139, 255}, 0.05f, 20);
  TestTensor clamped = TestTensor::Codes(QC_U8, {4}, Codes(4, 0), 0.05f, 20);
  RunOperator(QC_RELU6, EmptyAttributes(), {&six}, clamped);
  EXPECT_EQ(clamped.integers(), (Codes{20, 20, 139, 140}));
}

TEST(Relu, FusedEqualsAlone) {
  for (const int32_t zero_point : {-128, -20, 0, 60, 127}) {
    TestTensor x = TestTensor::Codes(QC_U8, {1, 4}, {0, 50, 200, 255}, 0.1f, 100);
    TestTensor w = TestTensor::Codes(
        QC_S8, {4, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 1.0f, 0);
    qc_attributes a = EmptyAttributes();
    TestTensor plain = TestTensor::Codes(QC_S8, {1, 4}, Codes(4, 0), 0.2f, zero_point);
    RunOperator(QC_LINEAR, a, {&x, &w}, plain);
    TestTensor alone = TestTensor::Codes(QC_S8, {1, 4}, Codes(4, 0), 0.2f, zero_point);
    RunOperator(QC_RELU, a, {&plain}, alone);
    a.activation = QC_ACTIVATION_RELU;
    TestTensor fused = TestTensor::Codes(QC_S8, {1, 4}, Codes(4, 0), 0.2f, zero_point);
    RunOperator(QC_LINEAR, a, {&x, &w}, fused);
    EXPECT_EQ(fused.integers(), alone.integers()) << zero_point;
  }
}

// pytorch/pytorch#37343, #92246: the exact value 154.4999978 lies 2.2e-6 below the tie.
// Fixed-point additions (QNNPACK's: native_operators) answer 155; the float path may not.
TEST(Add, StaysBelowATieThatFixedPointCrosses) {
  TestTensor a = TestTensor::Codes(QC_U8, {1}, {158}, 0.040562573820352554f, 112);
  TestTensor b = TestTensor::Codes(QC_U8, {1}, {136}, 0.08881603181362152f, 126);
  TestTensor y = TestTensor::Codes(QC_U8, {1}, {0}, 0.09029635787010193f, 124);
  RunOperator(QC_ADD, EmptyAttributes(), {&a, &b}, y);
  EXPECT_EQ(y.integers(), Codes{154});
  TestTensor zero = TestTensor::Codes(QC_S8, {1}, {127}, 1.0f, 127);
  TestTensor sum = TestTensor::Codes(QC_S8, {1}, {5}, 0.003f, 0);
  RunOperator(QC_ADD, EmptyAttributes(), {&zero, &zero}, sum);
  EXPECT_EQ(sum.integers(), Codes{0});
}

// tensorflow/tflite-micro#3252, google-ai-edge/LiteRT#7441: runtimes mix rounding models
// among their operators. Only convolution and linear have fixed-point ones here
// (weighted_operator_test.cc); a backend that names one for these is told that there is
// no definition, and is not judged by another model.
TEST(Elementwise, HaveNoFixedPointModels) {
  TestTensor a = TestTensor::Codes(QC_S8, {1, 2}, {1, 8}, 0.3f, 0);
  TestTensor b = TestTensor::Codes(QC_S8, {1, 2}, {1, 1}, 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_S8, {1, 2}, {77, 77}, 1.0f, 0);
  TestTensor mean = TestTensor::Codes(QC_S8, {1}, {77}, 1.0f, 0);
  qc_attributes last_axis = EmptyAttributes();
  last_axis.axis_mask = 2;
  for (const std::string scheme :
       {"q31/one/up/bias_s32/zp_after", "q31/two/up/bias_s32/zp_after"}) {
    for (const qc_operator_kind kind : {QC_ADD, QC_MUL}) {
      EXPECT_EQ(RunOperator(kind, EmptyAttributes(), {&a, &b}, y, "").status, QC_OK);
      WriteIntegers(y.get(), Codes{77, 77});
      const TestRun run = RunOperator(kind, EmptyAttributes(), {&a, &b}, y, scheme);
      EXPECT_EQ(run.status, QC_UNSUPPORTED) << kind;
      EXPECT_EQ(run.reason, "no definition under the scheme " + scheme);
      EXPECT_EQ(y.integers(), (Codes{77, 77}));
    }
    EXPECT_EQ(RunOperator(QC_MEAN, last_axis, {&a}, mean, "").status, QC_OK);
    EXPECT_EQ(RunOperator(QC_MEAN, last_axis, {&a}, mean, scheme).reason,
              "no definition under the scheme " + scheme);
  }
}

TEST(Concat, CopiesEqualParametersAndRescalesOthers) {
  TestTensor a = TestTensor::Codes(QC_S8, {1, 2}, {-128, 127}, 0.5f, -128);
  TestTensor b = TestTensor::Codes(QC_S8, {1, 1}, {10}, 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_S8, {1, 3}, Codes(3, 0), 0.5f, -128);
  qc_attributes attributes = EmptyAttributes();
  attributes.axis = 1;
  EXPECT_EQ(RunOperator(QC_CONCAT, attributes, {&a, &b}, y, "copy").status,
            QC_UNSUPPORTED);
  ASSERT_EQ(RunOperator(QC_CONCAT, attributes, {&a, &b}, y).status, QC_OK);
  EXPECT_EQ(y.integers(), (Codes{-128, 127, -108}));
}

TEST(Movement, KeepsCodesAndFillsWithTheZeroPoint) {
  TestTensor x = TestTensor::Codes(QC_U8, {2, 3}, {1, 2, 3, 4, 5, 6}, 0.5f, 9);
  qc_attributes transpose = EmptyAttributes();
  transpose.permutation[0] = 1;
  TestTensor turned = TestTensor::Codes(QC_U8, {3, 2}, Codes(6, 0), 0.5f, 9);
  ASSERT_EQ(RunOperator(QC_TRANSPOSE, transpose, {&x}, turned).reason, "");
  EXPECT_EQ(turned.integers(), (Codes{1, 4, 2, 5, 3, 6}));
  qc_attributes slice = EmptyAttributes();
  slice.stop[0] = 2;
  slice.start[1] = 0;
  slice.stop[1] = 3;
  slice.step[1] = 2;
  TestTensor part = TestTensor::Codes(QC_U8, {2, 2}, Codes(4, 0), 0.5f, 9);
  ASSERT_EQ(RunOperator(QC_SLICE, slice, {&x}, part).reason, "");
  EXPECT_EQ(part.integers(), (Codes{1, 3, 4, 6}));
  qc_attributes pad = EmptyAttributes();
  pad.start[1] = 1;
  pad.stop[0] = 1;
  TestTensor padded = TestTensor::Codes(QC_U8, {3, 4}, Codes(12, 0), 0.5f, 9);
  ASSERT_EQ(RunOperator(QC_PAD, pad, {&x}, padded).reason, "");
  EXPECT_EQ(padded.integers(), (Codes{9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9}));
  pad.padding_mode = QC_PADDING_REPLICATE;
  RunOperator(QC_PAD, pad, {&x}, padded);
  EXPECT_EQ(padded.integers(), (Codes{1, 1, 2, 3, 4, 4, 5, 6, 4, 4, 5, 6}));
  TestTensor flat = TestTensor::Codes(QC_U8, {6}, Codes(6, 0), 0.5f, 9);
  RunOperator(QC_RESHAPE, EmptyAttributes(), {&x}, flat);
  EXPECT_EQ(flat.integers(), (Codes{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace qconform
