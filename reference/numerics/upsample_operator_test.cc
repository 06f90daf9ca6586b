// UPSAMPLE and the pixel shuffles. Expected codes were printed by torch 2.14.1: the float
// function on dequantized codes, quantized.
#include <gtest/gtest.h>

#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

TestTensor Image(std::vector<int64_t> shape, float scale = 0.05f,
                 int32_t zero_point = 120) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return TestTensor::Codes(QC_U8, std::move(shape), PatternCodes(count), scale,
                           zero_point);
}

TEST(Upsample, NearestMovesCodes) {
  TestTensor x = Image({1, 2, 2, 3});
  TestTensor same = Image({1, 2, 5, 4});
  const Codes want = {19,  19,  92,  165, 19,  19,  92,  165, 19,  19,
                      92,  165, 238, 238, 55,  128, 238, 238, 55,  128,
                      201, 201, 18,  91,  201, 201, 18,  91,  201, 201,
                      18,  91,  164, 164, 237, 54,  164, 164, 237, 54};
  for (const char* scheme : {kCopySchemeName, kRealSchemeName}) {
    ASSERT_EQ(RunOperator(QC_UPSAMPLE, EmptyAttributes(), {&x}, same, scheme).reason, "");
    EXPECT_EQ(same.integers(), want) << scheme;
  }
  TestTensor other = Image({1, 2, 5, 4}, 0.04f, 90);
  EXPECT_EQ(RunOperator(QC_UPSAMPLE, EmptyAttributes(), {&x}, other, "copy").status,
            QC_UNSUPPORTED);
  RunOperator(QC_UPSAMPLE, EmptyAttributes(), {&x}, other);
  EXPECT_EQ(other.integers(),
            (Codes{0,   0,   55,  146, 0,   0,   55,  146, 0,   0,   55,  146, 238, 238,
                   9,   100, 238, 238, 9,   100, 191, 191, 0,   54,  191, 191, 0,   54,
                   191, 191, 0,   54,  145, 145, 236, 8,   145, 145, 236, 8}));
}

// torch.nn.functional.interpolate of a quantized [1, 1, 2, 3] by (1.7, 2.3): the factor
// and not 6 / 3 says where an element comes from.
TEST(Upsample, NearestFollowsTheFactor) {
  TestTensor x = Image({1, 1, 2, 3});
  TestTensor y = Image({1, 1, 3, 6});
  qc_attributes a = EmptyAttributes();
  a.scale_factor[0] = 1.7;
  a.scale_factor[1] = 2.3;
  ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&x}, y).reason, "");
  EXPECT_EQ(y.integers(), (Codes{19, 19, 19, 92, 92, 165, 19, 19, 19, 92, 92, 165, 238,
                                 238, 238, 55, 55, 128}));
  a.scale_factor[1] = 2.4;
  EXPECT_EQ(RunOperator(QC_UPSAMPLE, a, {&x}, y).reason,
            "the output has another size than the scale factor gives");
}

TEST(Upsample, Bilinear) {
  TestTensor x = Image({1, 2, 2, 3});
  TestTensor y = Image({1, 2, 5, 4}, 0.04f, 90);
  qc_attributes a = EmptyAttributes();
  a.interpolation = QC_INTERPOLATION_BILINEAR;
  ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&x}, y).reason, "");
  EXPECT_EQ(y.integers(),
            (Codes{0,   21,  89,  146, 0,   28,  85,  142, 101, 58,  66,  123, 210, 87,
                   48,  105, 238, 95,  43,  100, 191, 48,  0,   54,  187, 64,  12,  49,
                   168, 125, 74,  31,  150, 187, 135, 12,  145, 202, 150, 8}));
  a.align_corners = 1;
  RunOperator(QC_UPSAMPLE, a, {&x}, y);
  EXPECT_EQ(y.integers(),
            (Codes{0,   25,  85,  146, 32,  40,  74,  135, 101, 55,  62,  123, 169, 70,
                   51,  112, 238, 85,  39,  100, 191, 39,  0,   54,  180, 81,  35,  42,
                   168, 122, 76,  31,  157, 164, 118, 19,  145, 206, 160, 8}));
  a.align_corners = 0;
  a.scale_factor[0] = 1.7;
  a.scale_factor[1] = 2.3;
  TestTensor scaled = Image({1, 2, 3, 6}, 0.04f, 90);
  RunOperator(QC_UPSAMPLE, a, {&x}, scaled);
  EXPECT_EQ(scaled.integers(),
            (Codes{0,   0,   17,  57, 97, 136, 68,  64,  50,  39,  79,  119,
                   229, 196, 101, 12, 52, 91,  191, 156, 57,  0,   4,   44,
                   174, 157, 111, 66, 53, 39,  146, 159, 194, 223, 128, 33}));
}

TEST(Upsample, LinearInOneAndThreeDimensions) {
  qc_attributes a = EmptyAttributes();
  a.interpolation = QC_INTERPOLATION_BILINEAR;
  TestTensor line = Image({1, 2, 4});
  TestTensor longer = Image({1, 2, 7});
  ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&line}, longer).reason, "");
  EXPECT_EQ(longer.integers(),
            (Codes{19, 45, 87, 129, 170, 212, 238, 55, 81, 123, 165, 188, 83, 18}));
  // An axis that keeps its size is copied whatever the factor.
  TestTensor same = Image({1, 2, 4});
  WriteIntegers(same.get(), Codes(8, 0));
  a.scale_factor[0] = 1.2;
  ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&line}, same).reason, "");
  EXPECT_EQ(same.integers(), PatternCodes(8));
  a.scale_factor[0] = 0;
  a.align_corners = 1;
  TestTensor cube = Image({1, 1, 2, 2, 2});
  TestTensor larger = Image({1, 1, 3, 3, 3});
  ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&cube}, larger).reason, "");
  EXPECT_EQ(larger.integers(),
            (Codes{19,  56,  92,  92,  128, 165, 165, 202, 238, 37, 74,  110, 110, 114,
                   119, 183, 156, 128, 55,  92,  128, 128, 101, 73, 201, 110, 18}));
}

// The bits of float32 results: sum over i of (i mod 97 + 1) * bits, of two images of
// PatternReal(35, 3) each, small and large, and of a volume.
int64_t SumOfBits(const TestTensor& y) {
  int64_t sum = 0;
  int64_t weight = 0;
  for (const float value : y.real()) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    sum += bits * (weight % 97 + 1);
    ++weight;
  }
  return sum;
}

TEST(Upsample, FloatsAreTorchsToTheBit) {
  struct Row {
    std::vector<int64_t> from;
    std::vector<int64_t> to;
    bool align_corners;
    int64_t want;
  };
  const std::vector<Row> rows = {
      {{1, 2, 5, 7}, {1, 2, 21, 34}, false, 1292647449214},
      {{1, 2, 5, 7}, {1, 2, 21, 34}, true, -3193897963863},
      {{1, 2, 5, 7}, {1, 2, 100, 60}, false, -7748212423431},
      {{1, 2, 5, 7}, {1, 2, 100, 60}, true, -26578488462401},
      {{1, 2, 3, 4, 5}, {1, 2, 7, 9, 6}, false, 2407486657992}};
  for (const Row& row : rows) {
    qc_attributes a = EmptyAttributes();
    a.interpolation = QC_INTERPOLATION_BILINEAR;
    a.align_corners = row.align_corners ? 1 : 0;
    int64_t count = 1;
    for (const int64_t size : row.from) count *= size;
    TestTensor x = TestTensor::Real(row.from, PatternReal(count, 3));
    TestTensor y(QC_F32, row.to);
    ASSERT_EQ(RunOperator(QC_UPSAMPLE, a, {&x}, y).reason, "");
    EXPECT_EQ(SumOfBits(y), row.want) << row.to[2] << " " << row.align_corners;
  }
}

TEST(Upsample, TakesNoSamplesButNoEmptyImage) {
  TestTensor none = Image({0, 2, 2, 3});
  TestTensor out = Image({0, 2, 4, 6});
  EXPECT_EQ(RunOperator(QC_UPSAMPLE, EmptyAttributes(), {&none}, out).status, QC_OK);
  TestTensor flat = Image({1, 2, 0, 3});
  TestTensor wide = Image({1, 2, 4, 6});
  EXPECT_EQ(RunOperator(QC_UPSAMPLE, EmptyAttributes(), {&flat}, wide).reason,
            "a spatial size is zero");
}

TEST(PixelShuffle, MovesChannelsAndBack) {
  qc_attributes a = EmptyAttributes();
  a.factor = 2;
  TestTensor deep = Image({1, 8, 1, 2});
  TestTensor wide = Image({1, 2, 2, 4});
  ASSERT_EQ(RunOperator(QC_PIXEL_SHUFFLE, a, {&deep}, wide).reason, "");
  EXPECT_EQ(wide.integers(), (Codes{19, 165, 92, 238, 55, 201, 128, 18, 91, 237, 164, 54,
                                    127, 17, 200, 90}));
  TestTensor back = Image({1, 8, 1, 2});
  WriteIntegers(back.get(), Codes(16, 0));
  RunOperator(QC_PIXEL_UNSHUFFLE, a, {&wide}, back, "copy");
  EXPECT_EQ(back.integers(), PatternCodes(16));
  TestTensor image = Image({1, 1, 4, 4});
  TestTensor shuffled = Image({1, 4, 2, 2}, 0.1f, 120);
  ASSERT_EQ(RunOperator(QC_PIXEL_UNSHUFFLE, a, {&image}, shuffled).reason, "");
  TestTensor kept = Image({1, 4, 2, 2});
  RunOperator(QC_PIXEL_UNSHUFFLE, a, {&image}, kept);
  EXPECT_EQ(kept.integers(), (Codes{19, 165, 91, 237, 92, 238, 164, 54, 55, 201, 127, 17,
                                    128, 18, 200, 90}));
  // Twice the scale: half of the distance from the zero point, ties to even.
  EXPECT_EQ(shuffled.integers()[0], 70);
  EXPECT_EQ(shuffled.integers()[1], 142);
}

TEST(PixelShuffle, RefusesAFactorThatDoesNotFit) {
  qc_attributes a = EmptyAttributes();
  a.factor = 3;
  TestTensor deep = Image({1, 8, 1, 2});
  TestTensor wide = Image({1, 2, 2, 4});
  EXPECT_EQ(RunOperator(QC_PIXEL_SHUFFLE, a, {&deep}, wide).reason,
            "the pixels do not divide");
  a.factor = 0;
  EXPECT_EQ(RunOperator(QC_PIXEL_SHUFFLE, a, {&deep}, wide).reason,
            "the factor is out of range");
  a.factor = 2;
  TestTensor none = Image({0, 8, 1, 2});
  TestTensor out = Image({0, 2, 2, 4});
  EXPECT_EQ(RunOperator(QC_PIXEL_SHUFFLE, a, {&none}, out).status, QC_OK);
}

}  // namespace
}  // namespace qconform
