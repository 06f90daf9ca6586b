// PRELU and the norms. Expected codes were printed by torch 2.14.1: the float function on
// dequantized inputs, quantized (torch.ops.quantized.* gives the same ones unless said).
#include <gtest/gtest.h>

#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

TestTensor Blank(std::vector<int64_t> shape, float scale, int32_t zero_point) {
  TestTensor tensor(zero_point < 0 ? QC_S8 : QC_U8, std::move(shape));
  tensor.Quantize({scale}, {zero_point});
  return tensor;
}

TEST(Prelu, HasOneSlopeOrOneAChannel) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 3, 4}, PatternCodes(12), 0.03f, 100);
  TestTensor y = Blank({1, 3, 4}, 0.05f, 60);
  TestTensor slopes = TestTensor::Real({3}, {0.25f, -0.5f, 1.5f});
  ASSERT_EQ(RunOperator(QC_PRELU, EmptyAttributes(), {&x, &slopes}, y).reason, "");
  EXPECT_EQ(y.integers(), (Codes{48, 59, 99, 143, 74, 77, 121, 85, 52, 98, 142, 19}));
  TestTensor slope = TestTensor::Real({1}, {0.125f});
  RunOperator(QC_PRELU, EmptyAttributes(), {&x, &slope}, y, kRealSchemeName);
  EXPECT_EQ(y.integers(), (Codes{54, 59, 99, 143, 57, 77, 121, 54, 59, 98, 142, 57}));
}

// torch.ops.quantized.prelu gives 65, 70, 80, 90 for the last four: it multiplies a
// positive x by (255 - 128) * 0.004. facenet-pytorch's O-Net is off by 0.54 through it.
TEST(Prelu, LeavesPositiveValuesWhateverTheSlopesZeroPoint) {
  const Codes codes = {0, 67, 83, 100, 117, 133, 167, 200};
  TestTensor x = TestTensor::Codes(QC_U8, {1, 2, 4}, codes, 0.03f, 100);
  for (const int32_t zero_point : {0, 128}) {
    TestTensor slope = TestTensor::Codes(QC_U8, {2}, {62 + zero_point, 125 + zero_point},
                                         0.004f, zero_point);
    TestTensor y = Blank({1, 2, 4}, 0.05f, 60);
    ASSERT_EQ(RunOperator(QC_PRELU, EmptyAttributes(), {&x, &slope}, y).reason, "");
    EXPECT_EQ(y.integers(), (Codes{45, 55, 57, 60, 70, 80, 100, 120})) << zero_point;
  }
}

TEST(Prelu, RefusesSlopesThatDoNotFit) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 3, 4}, PatternCodes(12), 0.03f, 100);
  TestTensor y = Blank({1, 3, 4}, 0.05f, 60);
  TestTensor two = TestTensor::Real({2}, {0.25f, 0.5f});
  EXPECT_EQ(RunOperator(QC_PRELU, EmptyAttributes(), {&x, &two}, y).reason,
            "the slope is neither one number nor one for each channel");
  EXPECT_EQ(RunOperator(QC_PRELU, EmptyAttributes(), {&x}, y).reason,
            "the slope is missing");
}

struct NormInput {
  TestTensor x = TestTensor::Codes(QC_U8, {2, 4, 3}, PatternCodes(24), 0.05f, 120);
  TestTensor gamma = TestTensor::Real({4}, PatternReal(4, 1));
  TestTensor beta = TestTensor::Real({4}, PatternReal(4, 2));
  TestTensor y = Blank({2, 4, 3}, 0.03f, 110);
  qc_attributes attributes = EmptyAttributes();
  NormInput() { attributes.epsilon = 1e-5f; }
};

TEST(Norms, GroupNorm) {
  NormInput in;
  in.attributes.group_count = 2;
  const TestRun run =
      RunOperator(QC_GROUP_NORM, in.attributes, {&in.x, &in.gamma, &in.beta}, in.y);
  ASSERT_EQ(run.reason, "");
  EXPECT_EQ(in.y.integers(),
            (Codes{147, 107, 66,  234, 139, 177, 109, 138, 126, 42,  0,  129,
                   100, 60,  160, 145, 183, 221, 131, 117, 102, 162, 89, 16}));
  // Of s8: the same values, 128 codes lower; any strides.
  TestTensor x = TestTensor::Codes(QC_S8, {2, 4, 3}, PatternCodes(24, 0, -128), 0.05f, -8,
                                   {0, 2, 1}, 3);
  TestTensor y = Blank({2, 4, 3}, 0.03f, -18);
  RunOperator(QC_GROUP_NORM, in.attributes, {&x, &in.gamma, &in.beta}, y);
  EXPECT_EQ(y.integers(),
            (Codes{19,  -21, -62, 106, 11, 49, -19, 10,  -2,  -86, -128, 1,
                   -28, -68, 32,  17,  55, 93, 3,   -11, -26, 34,  -39,  -112}));
}

TEST(Norms, InstanceNorm) {
  NormInput in;
  const TestRun run =
      RunOperator(QC_INSTANCE_NORM, in.attributes, {&in.x, &in.gamma, &in.beta}, in.y);
  ASSERT_EQ(run.reason, "");
  EXPECT_EQ(in.y.integers(),
            (Codes{142, 93, 45,  219, 128, 164, 104, 135, 122, 60,  0,  152,
                   87,  48, 145, 124, 170, 216, 136, 120, 105, 147, 70, 0}));
}

TEST(Norms, LayerNormOfOneAndTwoAxes) {
  NormInput in;
  TestTensor gamma = TestTensor::Real({4, 3}, PatternReal(12, 3));
  TestTensor beta = TestTensor::Real({4, 3}, PatternReal(12, 4));
  in.attributes.axis = 1;
  ASSERT_EQ(
      RunOperator(QC_LAYER_NORM, in.attributes, {&in.x, &gamma, &beta}, in.y).reason, "");
  EXPECT_EQ(in.y.integers(),
            (Codes{131, 106, 185, 91,  13,  144, 52,  119, 126, 36,  170, 129,
                   140, 41,  115, 124, 101, 160, 133, 172, 107, 167, 140, 78}));
  in.attributes.axis = 2;
  EXPECT_EQ(
      RunOperator(QC_LAYER_NORM, in.attributes, {&in.x, &gamma, &beta}, in.y).reason,
      "input 1 is not f32 of the normalized shape");
  ASSERT_EQ(RunOperator(QC_LAYER_NORM, in.attributes, {&in.x}, in.y).reason, "");
  EXPECT_EQ(in.y.integers(),
            (Codes{69,  110, 151, 153, 72,  105, 153, 72,  105, 115, 148, 67,
                   115, 148, 67,  69,  110, 151, 69,  110, 151, 69,  110, 151}));
}

// A constant row is beta: nothing is divided by zero.
TEST(Norms, ConstantRowsAndSizesOfZero) {
  TestTensor x = TestTensor::Codes(QC_U8, {2, 3}, Codes(6, 77), 0.05f, 120);
  TestTensor y = Blank({2, 3}, 0.03f, 110);
  qc_attributes a = EmptyAttributes();
  a.axis = 1;
  a.epsilon = 1e-5f;
  ASSERT_EQ(RunOperator(QC_LAYER_NORM, a, {&x}, y).status, QC_OK);
  EXPECT_EQ(y.integers(), Codes(6, 110));
  a.group_count = 2;
  const std::vector<std::vector<int64_t>> shapes = {{0, 4, 3}, {2, 4, 0}, {2, 0, 3}};
  for (const qc_operator_kind kind : {QC_LAYER_NORM, QC_GROUP_NORM, QC_INSTANCE_NORM}) {
    for (const std::vector<int64_t>& shape : shapes) {
      TestTensor none = Blank(shape, 0.05f, 120);
      TestTensor out = Blank(shape, 0.05f, 120);
      EXPECT_EQ(RunOperator(kind, a, {&none}, out).status, QC_OK) << kind;
    }
  }
}

TEST(Norms, RefuseWhatContradicts) {
  NormInput in;
  in.attributes.group_count = 3;
  EXPECT_EQ(RunOperator(QC_GROUP_NORM, in.attributes, {&in.x}, in.y).reason,
            "the channels do not divide into the groups");
  EXPECT_EQ(RunOperator(QC_INSTANCE_NORM, in.attributes,
                        {&in.x, &in.gamma, &in.beta, &in.beta, &in.gamma}, in.y)
                .reason,
            "mean and variance are given, but the input's own are taken");
  in.attributes.axis = 3;
  EXPECT_EQ(RunOperator(QC_LAYER_NORM, in.attributes, {&in.x}, in.y).reason,
            "the axis is outside the input");
}

}  // namespace
}  // namespace qconform
