#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

struct Choice {
  qc_operator_kind kind = QC_ADD;
  int32_t activation = QC_ACTIVATION_NONE;
  float alpha = 0;
  int threads = 1;
};

qc_attributes AttributesOf(const Choice& choice) {
  qc_attributes attributes = EmptyAttributes();
  attributes.activation = choice.activation;
  attributes.activation_min = -1.25f;
  attributes.activation_max = 3.5f;
  attributes.alpha = choice.alpha;
  return attributes;
}

std::string Difference(const std::string& file, TestTensor& a, TestTensor* b,
                       TestTensor& y, const Choice& choice, float scalar = 0,
                       bool scalar_first = false) {
  const LoadedBackend backend(file);
  OperatorTest test{choice.kind, AttributesOf(choice)};
  test.attributes.scalar = scalar;
  test.attributes.scalar_first = scalar_first ? 1 : 0;
  test.inputs = {&a, b};
  test.outputs = {&y};
  test.threads = choice.threads;
  return DifferenceFromScalar(backend, test);
}

Choice RandomChoice(RandomTensors& random) {
  const qc_operator_kind kinds[] = {QC_ADD, QC_SUB, QC_MUL};
  return {kinds[random.Below(3)], static_cast<int32_t>(random.Below(4)),
          random.OneIn(4) ? random.Real(-2.0f, 2.0f) : 0.0f, 1};
}

// One dimension in three is repeated, of either operand; leading ones may be missing.
std::vector<int64_t> Repeated(RandomTensors& random, std::vector<int64_t> shape) {
  for (int64_t& size : shape)
    if (random.OneIn(3)) size = 1;
  while (!shape.empty() && shape[0] == 1 && random.OneIn(2)) shape.erase(shape.begin());
  return shape;
}

std::vector<int64_t> Broadcast(const std::vector<int64_t>& full,
                               const std::vector<int64_t>& a,
                               const std::vector<int64_t>& b) {
  std::vector<int64_t> shape(std::max(a.size(), b.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto of = [&](const std::vector<int64_t>& from) {
      const size_t missing = shape.size() - from.size();
      return i < missing ? int64_t{1} : from[i - missing];
    };
    shape[i] = of(a) == 1 ? of(b) : full[full.size() - shape.size() + i];
  }
  return shape;
}

TEST(Elementwise, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 800; ++seed) {
    RandomTensors random(seed);
    const std::vector<int64_t> full = random.Shape(5, 70);
    int64_t count = 1;
    for (const int64_t size : full) count *= size;
    if (count > 100'000) continue;
    const Choice choice = RandomChoice(random);
    const auto of_a = Repeated(random, full);
    const auto of_b = Repeated(random, full);
    TestTensor a = random.Codes(of_a);
    TestTensor b = random.Codes(of_b);
    TestTensor y = random.Codes(Broadcast(full, of_a, of_b));
    ASSERT_EQ(Difference(kHalideBackend, a, &b, y, choice), "") << "seed " << seed;
  }
}

TEST(Elementwise, ScalarsOnEitherSide) {
  for (const float scalar :
       {0.0f, 1.0f, -0.7f, 3.3e38f, std::numeric_limits<float>::infinity(), NAN})
    for (uint32_t seed = 0; seed < 40; ++seed) {
      RandomTensors random(seed);
      const auto shape = random.Shape(3, 40);
      const Choice choice = RandomChoice(random);
      TestTensor a = random.Codes(shape);
      TestTensor y = random.Codes(shape);
      ASSERT_EQ(
          Difference(kHalideBackend, a, nullptr, y, choice, scalar, random.OneIn(2)), "")
          << scalar << " seed " << seed;
    }
}

// Scales so large that values leave float32: infinities, and NaN where they meet.
TEST(Elementwise, ValuesBeyondFloat32) {
  for (const qc_operator_kind kind : {QC_ADD, QC_SUB, QC_MUL}) {
    TestTensor a = TestTensor::Codes(QC_U8, {512}, PatternCodes(512), 1e37f, 100);
    TestTensor b = TestTensor::Codes(QC_S8, {512}, PatternCodes(512, 5, -128), 1e37f, 3);
    TestTensor y(QC_U8, {512});
    y.Quantize({0.01f}, {9});
    EXPECT_EQ(Difference(kHalideBackend, a, &b, y, {kind}), "") << kind;
  }
}

// A factor for each channel, channels last: rows of one pixel, laid side by side.
TEST(Elementwise, OperandThatIsOneRow) {
  for (const int64_t channels : {1, 2, 7, 24, 40, 300, 2'500})
    for (const qc_operator_kind kind : {QC_ADD, QC_SUB, QC_MUL})
      for (uint32_t seed = 0; seed < 4; ++seed) {
        RandomTensors random(seed);
        const std::vector<int> last = {0, 2, 3, 1};
        TestTensor x = random.Codes({2, channels, 9, 11}, last);
        TestTensor factors = random.Codes({channels, 1, 1}, {0, 1, 2});
        TestTensor y = random.Codes({2, channels, 9, 11}, last);
        TestTensor& a = seed % 2 == 0 ? x : factors;
        TestTensor& b = seed % 2 == 0 ? factors : x;
        EXPECT_EQ(Difference(kHalideBackend, a, &b, y, {kind, 0, 0, 2}), "")
            << channels << " " << kind << " seed " << seed;
      }
}

TEST(Elementwise, ThreadsDoNotChangeTheBits) {
  RandomTensors random(3);
  TestTensor a = random.Codes({5, 60'013});
  TestTensor b = random.Codes({60'013});
  TestTensor y = random.Codes({5, 60'013});
  for (const int threads : {1, 2, 5})
    EXPECT_EQ(Difference(kHalideBackend, a, &b, y, {QC_ADD, 0, 0, threads}), "")
        << threads;
}

TEST(Elementwise, WrongRoundingIsCaught) {
  int caught = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    RandomTensors random(seed);
    TestTensor a = random.Codes({400});
    TestTensor b = random.Codes({400});
    TestTensor y = random.Codes({400});
    const std::string difference = Difference(kWrongRoundingBackend, a, &b, y, {});
    if (difference.empty()) continue;
    ASSERT_NE(difference.find(", expected "), std::string::npos) << difference;
    ++caught;
  }
  EXPECT_GT(caught, 0);
}

}  // namespace
}  // namespace qconform::kernels
