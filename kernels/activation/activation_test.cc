#include <gtest/gtest.h>

#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

const qc_operator_kind kKinds[] = {QC_RELU, QC_RELU6,     QC_CLAMP,       QC_LEAKY_RELU,
                                   QC_ELU,  QC_HARDSWISH, QC_HARDSIGMOID, QC_SIGMOID,
                                   QC_TANH, QC_GELU,      QC_REQUANTIZE};

std::string Difference(RandomTensors& random, const std::vector<int64_t>& shape,
                       qc_operator_kind kind, int threads) {
  static const LoadedBackend backend(kHalideBackend);
  TestTensor x = random.Codes(shape);
  TestTensor y = random.Codes(shape);
  OperatorTest test{kind};
  test.attributes.alpha = random.Real(0.01f, 1.5f);
  test.attributes.minimum = random.Real(-3.0f, 1.0f);
  test.attributes.maximum = random.Real(1.0f, 4.0f);
  test.attributes.approximate_tanh = random.OneIn(2) ? 1 : 0;
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  return DifferenceFromScalar(backend, test);
}

TEST(Activation, RandomTensorsAreExactOnEveryPath) {
  for (const qc_operator_kind kind : kKinds)
    for (uint32_t seed = 0; seed < 60; ++seed) {
      RandomTensors random(seed);
      ASSERT_EQ(Difference(random, random.Shape(5, 9), kind, 1), "")
          << kind << " seed " << seed;
    }
}

// One slope or one for each channel; of f32 or codes, constant or live.
TEST(Activation, SlopesOfChannelsAreExact) {
  static const LoadedBackend backend(kHalideBackend);
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomTensors random(seed);
    const auto shape = random.Shape(5, 9);
    TestTensor x = random.Codes(shape);
    TestTensor y = random.Codes(shape);
    const bool one = shape.size() < 2 || random.OneIn(3);
    const std::vector<int64_t> slopes = {one ? 1 : shape[1]};
    TestTensor slope = random.Codes(slopes);
    bool contiguous = slope.get().stride[0] == 1;
    if (random.OneIn(2)) {
      std::vector<float> values = slope.real();
      for (float& value : values) value = random.Real(-0.5f, 1.5f);
      slope = TestTensor::Real(slopes, values);
      contiguous = true;
    }
    OperatorTest test{QC_PRELU};
    test.inputs = {&x, &slope};
    if (contiguous && random.OneIn(2)) test.constants = {&slope};
    test.outputs = {&y};
    test.threads = 1 + static_cast<int>(random.Below(2));
    ASSERT_EQ(DifferenceFromScalar(backend, test), "") << "seed " << seed;
  }
}

TEST(Activation, SlopesOfLargeTensorsAreExactWithThreads) {
  static const LoadedBackend backend(kHalideBackend);
  for (const bool channels_last : {false, true}) {
    const std::vector<int> order =
        channels_last ? std::vector<int>{0, 2, 3, 1} : std::vector<int>{0, 1, 2, 3};
    TestTensor x(QC_U8, {2, 37, 41, 43}, order);
    x.Quantize({0.02f}, {120});
    WriteIntegers(x.get(), PatternCodes(ElementCount(x.get())));
    TestTensor y(QC_S8, {2, 37, 41, 43}, order);
    y.Quantize({0.03f}, {-20});
    TestTensor slope = TestTensor::Real({37}, PatternReal(37));
    for (const int threads : {1, 2, 5}) {
      OperatorTest test{QC_PRELU};
      test.inputs = {&x, &slope};
      test.constants = {&slope};
      test.outputs = {&y};
      test.threads = threads;
      EXPECT_EQ(DifferenceFromScalar(backend, test), "") << threads;
    }
  }
}

// Slopes that leave values all but between two codes: some channels are looked up, among
// others that are computed.
TEST(Activation, SlopesNearTies) {
  static const LoadedBackend backend(kHalideBackend);
  for (const int64_t channels : {1, 37, 64, 3000})
    for (const int32_t zero_point : {0, 100, 255}) {
      TestTensor x(QC_U8, {2, channels, 70}, {0, 2, 1});
      x.Quantize({0.02f}, {zero_point});
      WriteIntegers(x.get(), PatternCodes(ElementCount(x.get())));
      TestTensor y(QC_U8, {2, channels, 70}, {0, 2, 1});
      y.Quantize({0.031f}, {7});
      TestTensor slope = TestTensor::Real({channels}, PatternReal(channels));
      OperatorTest test{QC_PRELU};
      test.inputs = {&x, &slope};
      test.constants = {&slope};
      test.outputs = {&y};
      EXPECT_EQ(DifferenceFromScalar(backend, test), "") << channels << " " << zero_point;
    }
}

// Affine functions are computed and therefore rounded, curved ones are looked up.
TEST(Activation, WrongRoundingIsCaught) {
  static const LoadedBackend backend(kWrongRoundingBackend);
  // In codes of y 98.5 (unless it is clamped) and 100.5.
  TestTensor x = TestTensor::Codes(QC_U8, {1, 1, 4}, {1, 1, 5, 5}, 0.5f, 4);
  TestTensor y(QC_U8, {1, 1, 4});
  y.Quantize({1.0f}, {100});
  TestTensor slope = TestTensor::Real({1}, {1.0f});
  for (const qc_operator_kind kind : kKinds) {
    OperatorTest test{kind};
    test.attributes.alpha = 1.0f;
    test.attributes.minimum = -5.0f;
    test.attributes.maximum = 5.0f;
    test.inputs = {&x};
    test.outputs = {&y};
    const bool affine = kind == QC_RELU || kind == QC_RELU6 || kind == QC_CLAMP ||
                        kind == QC_LEAKY_RELU || kind == QC_REQUANTIZE;
    EXPECT_EQ(DifferenceFromScalar(backend, test) != "", affine) << kind;
  }
  OperatorTest test{QC_PRELU};
  test.inputs = {&x, &slope};
  test.constants = {&slope};
  test.outputs = {&y};
  EXPECT_NE(DifferenceFromScalar(backend, test), "");
}

// Longer than a piece, cut for threads, and with a tail of a few codes.
TEST(Activation, LongRowsAreExactWithThreads) {
  for (const int threads : {1, 2, 3}) {
    RandomTensors random(7);
    EXPECT_EQ(Difference(random, {3, 50'021}, QC_SIGMOID, threads), "") << threads;
  }
}

TEST(Activation, CodesAreCopiedOrRescaledAsAsked) {
  static const LoadedBackend backend(kHalideBackend);
  TestTensor x = TestTensor::Codes(QC_U8, {256}, PatternCodes(256), 0.05f, 77);
  TestTensor y(QC_U8, {256});
  y.Quantize({0.05f}, {77});
  for (const char* scheme :
       {"copy", "real/one/even/bias_f32/zp_after", "real/one/away/bias_f32/zp_before"}) {
    OperatorTest test{QC_RELU};
    test.inputs = {&x};
    test.outputs = {&y};
    test.scheme = scheme;
    EXPECT_EQ(DifferenceFromScalar(backend, test), "") << scheme;
  }
}

}  // namespace
}  // namespace qconform::kernels
