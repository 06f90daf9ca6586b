// Linear layers with weights and outputs of every dtype, and those that quantize their
// input at run time, against the scalar definition.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_weighted.h"

namespace qconform::kernels {
namespace {

void ExpectExact(const std::string& file, WeightedChoice choice, uint32_t first,
                 uint32_t count) {
  const LoadedBackend backend(file);
  choice.kind = QC_LINEAR;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    choice.threads = 1 + static_cast<int>(seed % 5 == 0);
    const RandomWeighted random(seed, choice);
    ASSERT_EQ(DifferenceFromScalar(backend, random.test()), "")
        << "seed " << seed << random.Describe();
  }
}

TEST(EveryLinear, Codes) {
  ExpectExact(kHalideBackend, {}, 0, 400);
  ExpectExact(kBytesBackend, {}, 1000, 200);
}

// Rows of all three kinds, and codes at the bounds between them.
TEST(EveryLinear, ShortSums) {
  for (const Output output : {Output::kCodes, Output::kReal, Output::kAccumulators})
    ExpectExact(kHalideBackend, {.output = output, .short_sums = true}, 20000, 400);
}

TEST(EveryLinear, RealAndAccumulatorOutputs) {
  for (const Output output : {Output::kReal, Output::kAccumulators}) {
    ExpectExact(kHalideBackend, {.output = output}, 2000, 300);
    ExpectExact(kBytesBackend, {.output = output}, 3000, 150);
  }
}

TEST(EveryLinear, Dynamic) {
  WeightedChoice choice;
  choice.output = Output::kReal;
  choice.dynamic = true;
  ExpectExact(kHalideBackend, choice, 4000, 500);
  ExpectExact(kBytesBackend, choice, 5000, 300);
}

TEST(EveryLinear, RealScheme) {
  for (const Output output : {Output::kCodes, Output::kReal}) {
    ExpectExact(kHalideBackend, {.output = output, .residual = true}, 6000, 200);
    for (int32_t activation = QC_ACTIVATION_LEAKY_RELU; activation <= QC_ACTIVATION_SILU;
         ++activation) {
      ExpectExact(kHalideBackend, {.output = output, .activation = activation},
                  7000 + 100 * static_cast<uint32_t>(activation), 40);
    }
  }
  WeightedChoice choice;
  choice.output = Output::kReal;
  choice.dynamic = true;
  choice.activation = QC_ACTIVATION_GELU;
  ExpectExact(kHalideBackend, choice, 8000, 100);
}

TEST(EveryLinear, DynamicOfNothingAndOfOneValue) {
  TestTensor w = TestTensor::Codes(QC_S8, {9, 5}, PatternCodes(45, 5, -128), 0.1f, 3);
  TestTensor b = TestTensor::Real({9}, PatternReal(9));
  TestTensor y(QC_F32, {2, 9});
  for (const float value :
       {0.0f, -0.0f, 1e-30f, -2.5f, 3.3e38f, INFINITY, -INFINITY, NAN}) {
    TestTensor x = TestTensor::Real({2, 5}, std::vector<float>(10, value));
    for (const std::string& file : {kHalideBackend, kBytesBackend}) {
      OperatorTest test{QC_LINEAR};
      test.attributes.dynamic = 1;
      test.inputs = {&x, &w, &b};
      test.constants = {&w, &b};
      test.outputs = {&y};
      EXPECT_EQ(DifferenceFromScalar(LoadedBackend(file), test), "") << value;
    }
  }
}

// Rows of an output that is part of a larger one, in which the kernels write at once.
TEST(EveryLinear, PartOfAnOutput) {
  RandomTensors random(8);
  for (const int64_t n : {1, 5, 16, 33, 70}) {
    TestTensor x = random.Codes({2, 20, 40});
    TestTensor w =
        TestTensor::Codes(QC_S8, {n, 40}, PatternCodes(n * 40, 5, -128), 0.1f, 0);
    TestTensor y(QC_F32, {2, 20, n + 37});
    y.get().shape[2] = n;
    OperatorTest test{QC_LINEAR};
    test.inputs = {&x, &w};
    test.constants = {&w};
    test.outputs = {&y};
    EXPECT_EQ(DifferenceFromScalar(LoadedBackend(kHalideBackend), test), "") << n;
  }
}

TEST(EveryLinear, DynamicThreadsDoNotChangeTheBits) {
  RandomTensors random(7);
  std::vector<float> values(200 * 130);
  for (float& value : values) value = random.Real(-4.0f, 7.0f);
  TestTensor x = TestTensor::Real({200, 130}, values);
  TestTensor w =
      TestTensor::Codes(QC_S8, {140, 130}, PatternCodes(140 * 130, 5, -128), 0.1f, 0);
  TestTensor y(QC_F32, {200, 140});
  for (const int threads : {1, 2, 5}) {
    OperatorTest test{QC_LINEAR};
    test.attributes.dynamic = 1;
    test.inputs = {&x, &w};
    test.constants = {&w};
    test.outputs = {&y};
    test.threads = threads;
    EXPECT_EQ(DifferenceFromScalar(LoadedBackend(kHalideBackend), test), "") << threads;
  }
}

}  // namespace
}  // namespace qconform::kernels
