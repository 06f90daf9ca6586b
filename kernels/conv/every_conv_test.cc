// Convolutions of one to three dimensions, transposed ones, any padding, weights and
// outputs of every dtype, against the scalar definition.
#include <gtest/gtest.h>

#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_weighted.h"

namespace qconform::kernels {
namespace {

void ExpectExact(const std::string& file, WeightedChoice choice, uint32_t first,
                 uint32_t count) {
  const LoadedBackend backend(file);
  for (uint32_t seed = first; seed < first + count; ++seed) {
    choice.spatial_rank = 1 + static_cast<int>(seed % 3);
    choice.threads = 1 + static_cast<int>(seed % 5 == 0);
    const RandomWeighted random(seed, choice);
    ASSERT_EQ(DifferenceFromScalar(backend, random.test()), "")
        << "seed " << seed << random.Describe();
  }
}

TEST(EveryConv, CodesOfOneToThreeDimensions) {
  ExpectExact(kHalideBackend, {QC_CONV}, 0, 500);
  ExpectExact(kBytesBackend, {QC_CONV}, 1000, 200);
}

// Tiles of all three kinds in one image, and codes at the bounds between them.
TEST(EveryConv, ShortSums) {
  for (const qc_operator_kind kind : {QC_CONV, QC_CONV_TRANSPOSE}) {
    for (const Output output : {Output::kCodes, Output::kAccumulators}) {
      ExpectExact(kHalideBackend, {.kind = kind, .output = output, .short_sums = true},
                  20000, 300);
    }
  }
}

TEST(EveryConv, TransposedToCodes) {
  ExpectExact(kHalideBackend, {QC_CONV_TRANSPOSE}, 0, 500);
  ExpectExact(kBytesBackend, {QC_CONV_TRANSPOSE}, 1000, 200);
}

TEST(EveryConv, RealAndAccumulatorOutputs) {
  for (const qc_operator_kind kind : {QC_CONV, QC_CONV_TRANSPOSE}) {
    for (const Output output : {Output::kReal, Output::kAccumulators}) {
      ExpectExact(kHalideBackend, {.kind = kind, .output = output}, 2000, 200);
      ExpectExact(kBytesBackend, {.kind = kind, .output = output}, 3000, 60);
    }
  }
}

// Residuals and activations that are no bounds: sums of real values.
TEST(EveryConv, RealScheme) {
  for (const qc_operator_kind kind : {QC_CONV, QC_CONV_TRANSPOSE}) {
    for (const Output output : {Output::kCodes, Output::kReal}) {
      ExpectExact(kHalideBackend, {.kind = kind, .output = output, .residual = true},
                  6000, 120);
      for (int32_t activation = QC_ACTIVATION_LEAKY_RELU;
           activation <= QC_ACTIVATION_SILU; ++activation) {
        ExpectExact(kHalideBackend,
                    {.kind = kind, .output = output, .activation = activation},
                    7000 + 100 * static_cast<uint32_t>(activation), 20);
      }
    }
  }
}

TEST(EveryConv, ManyChannels) {
  WeightedChoice choice;
  choice.largest_channels = 150;
  ExpectExact(kHalideBackend, choice, 4000, 40);
  choice.kind = QC_CONV_TRANSPOSE;
  ExpectExact(kHalideBackend, choice, 5000, 40);
}

// Large enough for several tasks.
TEST(EveryConv, ThreadsDoNotChangeTheBits) {
  struct Shape {
    qc_operator_kind kind;
    std::vector<int64_t> x, w, y;
    int64_t stride, groups;
    bool residual;
  };
  const Shape shapes[] = {
      {QC_CONV, {1, 24, 5, 10, 10}, {32, 24, 3, 3, 3}, {1, 32, 3, 8, 8}, 1, 1, false},
      {QC_CONV_TRANSPOSE, {1, 40, 14, 14}, {40, 48, 4, 4}, {1, 48, 30, 30}, 2, 1, false},
      {QC_CONV, {1, 64, 50, 50}, {128, 1, 5, 5}, {1, 128, 46, 46}, 1, 64, false},
      {QC_CONV, {1, 32, 18, 18}, {40, 32, 3, 3}, {1, 40, 16, 16}, 1, 1, true}};
  const LoadedBackend backend(kHalideBackend);
  RandomTensors random(11);
  for (const Shape& shape : shapes) {
    TestTensor x = random.Codes(shape.x);
    TestTensor w(QC_S8, shape.w);
    w.Quantize({0.01f}, {0});
    WriteIntegers(w.get(), PatternCodes(ElementCount(w.get()), 5, -128));
    TestTensor y = random.Codes(shape.y);
    y.Quantize({4.0f}, {0});
    TestTensor residual = random.Codes(shape.y);
    for (const int threads : {1, 2, 5}) {
      OperatorTest test{shape.kind,
                        ConvAttributes(static_cast<int>(shape.x.size()) - 2, 0)};
      for (int64_t& stride : test.attributes.stride) stride = shape.stride;
      test.attributes.groups = shape.groups;
      test.attributes.residual = shape.residual ? 1 : 0;
      test.inputs = {&x, &w, nullptr};
      if (shape.residual) test.inputs.push_back(&residual);
      test.constants = {&w};
      test.outputs = {&y};
      test.threads = threads;
      EXPECT_EQ(DifferenceFromScalar(backend, test), "") << threads;
    }
  }
}

// A quotient of scales beyond float32: accumulators of zero have no code but that of NaN.
TEST(EveryConv, InfiniteMultiplier) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 4, 3, 3}, PatternCodes(36), 1e30f, 100);
  TestTensor w =
      TestTensor::Codes(QC_S8, {5, 4, 1, 1}, PatternCodes(20, 5, -128), 1e5f, 0);
  for (const float scale : {1e-10f, 3e38f}) {
    TestTensor y(QC_S8, {1, 5, 3, 3});
    y.Quantize({scale}, {-7});
    OperatorTest test{QC_CONV, ConvAttributes(2, 0)};
    test.inputs = {&x, &w};
    test.constants = {&w};
    test.outputs = {&y};
    EXPECT_EQ(DifferenceFromScalar(LoadedBackend(kHalideBackend), test), "") << scale;
  }
}

// A stride longer than the kernel leaves outputs that no input reaches.
TEST(EveryConv, TransposedWithHoles) {
  TestTensor x = TestTensor::Codes(QC_U8, {2, 3, 4, 5}, PatternCodes(120), 0.1f, 100);
  TestTensor w =
      TestTensor::Codes(QC_S8, {3, 7, 2, 1}, PatternCodes(42, 5, -128), 0.1f, 3);
  TestTensor b = TestTensor::Real({7}, PatternReal(7));
  TestTensor y(QC_U8, {2, 7, 17, 22});
  y.Quantize({0.5f}, {90});
  OperatorTest test{QC_CONV_TRANSPOSE, ConvAttributes(2, 0)};
  test.attributes.stride[0] = test.attributes.stride[1] = 5;
  test.attributes.output_padding[1] = 1;
  test.inputs = {&x, &w, &b};
  test.constants = {&w, &b};
  test.outputs = {&y};
  EXPECT_EQ(DifferenceFromScalar(LoadedBackend(kHalideBackend), test), "");
}

}  // namespace
}  // namespace qconform::kernels
