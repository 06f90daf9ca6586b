// Whole domains: float32 arithmetic of another make than the reference's lies inside of
// the bounds, and a code beside does not.
#include "reference/numerics/error_bound/error_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <numeric>

#include "reference/numerics/describe.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

// The bounds of a call on test tensors.
std::vector<ArithmeticBound> BoundsOf(qc_operator_kind kind,
                                      const qc_attributes& attributes,
                                      const std::vector<TestTensor*>& inputs,
                                      TestTensor& output) {
  std::vector<const qc_tensor*> in;
  for (TestTensor* input : inputs) in.push_back(input ? &input->get() : nullptr);
  const qc_tensor* out[] = {&output.get()};
  const qc_descriptor descriptor = Descriptor(kind, attributes, in, out);
  // Evaluated before the arrays of pointers go.
  std::vector<ArithmeticBound> bounds = ErrorBounds(descriptor, in);
  for (ArithmeticBound& bound : bounds)
    bound.evaluate = [values = bound.evaluate()] { return values; };
  return bounds;
}

BoundedValues Elements(qc_operator_kind kind, const qc_attributes& attributes,
                       const std::vector<TestTensor*>& inputs, TestTensor& output) {
  return BoundsOf(kind, attributes, inputs, output).at(0).evaluate().at(0);
}

Codes AllCodes() {
  Codes codes(256);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

struct UnaryCase {
  qc_operator_kind kind;
  float x_scale;
  float y_scale;
  // As somebody else would write it in float32.
  std::function<float(float)> other;
};

float Logistic(float x) { return 0.5f * (1.0f + std::tanh(0.5f * x)); }

std::vector<UnaryCase> UnaryCases() {
  return {
      {QC_RELU, 0.05f, 0.041f, [](float x) { return std::fmax(x, 0.0f); }},
      {QC_RELU6, 0.08f, 0.025f,
       [](float x) { return std::fmin(std::fmax(x, 0.0f), 6.0f); }},
      {QC_LEAKY_RELU, 0.05f, 0.031f,
       [](float x) { return std::fmax(x, 0.0f) + 0.1f * std::fmin(x, 0.0f); }},
      {QC_ELU, 0.03f, 0.017f,
       [](float x) { return x > 0 ? x : 0.1f * (std::exp(x) - 1.0f); }},
      {QC_HARDSWISH, 0.05f, 0.03f,
       [](float x) { return x * (std::fmin(std::fmax(x / 6.0f + 0.5f, 0.0f), 1.0f)); }},
      {QC_HARDSIGMOID, 0.05f, 1.0f / 256,
       [](float x) { return std::fmin(std::fmax(x / 6.0f + 0.5f, 0.0f), 1.0f); }},
      {QC_SIGMOID, 0.05f, 1.0f / 256, Logistic},
      {QC_TANH, 0.03f, 2.0f / 256,
       [](float x) { return 1.0f - 2.0f / (std::exp(2.0f * x) + 1.0f); }},
      {QC_GELU, 0.04f, 0.02f,
       [](float x) { return 0.5f * x * (1.0f + std::erf(x * 0.70710678f)); }},
  };
}

TEST(ErrorBound, All256CodesOfUnaryOperators) {
  for (const UnaryCase& unary : UnaryCases()) {
    for (const int32_t zero_point : {128, 37}) {
      TestTensor x =
          TestTensor::Codes(QC_U8, {256}, AllCodes(), unary.x_scale, zero_point);
      TestTensor y(QC_U8, {256});
      y.Quantize({unary.y_scale}, {131});
      qc_attributes attributes = EmptyAttributes();
      attributes.alpha = 0.1f;
      const BoundedValues bounds = Elements(unary.kind, attributes, {&x}, y);
      ASSERT_EQ(bounds.size(), 256u);
      ASSERT_EQ(RunOperator(unary.kind, attributes, {&x}, y).status, QC_OK);
      const std::vector<float> values = x.real();
      const std::vector<int32_t> own = y.integers();
      int ambiguous = 0;
      for (size_t i = 0; i < 256; ++i) {
        const AllowedCodes allowed = CodesWithin(bounds[i], 0, 255);
        EXPECT_TRUE(allowed.Holds(own[i])) << unary.kind << " code " << i;
        const double other =
            std::nearbyint(double{unary.other(values[i]) * (1.0f / unary.y_scale)}) + 131;
        EXPECT_TRUE(allowed.Holds(static_cast<int64_t>(std::clamp(other, 0.0, 255.0))))
            << unary.kind << " code " << i << " exact " << bounds[i].value << " e "
            << bounds[i].error << " other " << other;
        EXPECT_FALSE(allowed.Holds(allowed.most + 1));
        EXPECT_FALSE(allowed.Holds(allowed.least - 1));
        ambiguous += allowed.count() > 1 ? 1 : 0;
        EXPECT_LT(bounds[i].error, 0.01) << unary.kind << " code " << i;
      }
      // Sets of two lie at ties only.
      EXPECT_LT(ambiguous, 16) << unary.kind;
    }
  }
}

// Every pair of u8 codes.
std::pair<Codes, Codes> AllPairs() {
  std::pair<Codes, Codes> pairs;
  for (int32_t i = 0; i < 65536; ++i) {
    pairs.first.push_back(i / 256);
    pairs.second.push_back(i % 256);
  }
  return pairs;
}

// float32, rescaled operand by operand instead of summed up first.
TEST(ErrorBound, All65536PairsOfAddAndMul) {
  const auto [a, b] = AllPairs();
  TestTensor x = TestTensor::Codes(QC_U8, {65536}, a, 0.040562573820352554f, 112);
  TestTensor w = TestTensor::Codes(QC_U8, {65536}, b, 0.08881603181362152f, 126);
  TestTensor y(QC_U8, {65536});
  y.Quantize({0.09029635787010193f}, {124});
  const float reciprocal = 1.0f / 0.09029635787010193f;
  const float a_step = 0.040562573820352554f * reciprocal;
  const float b_step = 0.08881603181362152f * reciprocal;
  for (const qc_operator_kind kind : {QC_ADD, QC_MUL}) {
    const BoundedValues bounds = Elements(kind, EmptyAttributes(), {&x, &w}, y);
    ASSERT_EQ(RunOperator(kind, EmptyAttributes(), {&x, &w}, y).status, QC_OK);
    const std::vector<int32_t> own = y.integers();
    int64_t outside = 0;
    int64_t of_two = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      const float first = static_cast<float>(a[i] - 112);
      const float second = static_cast<float>(b[i] - 126);
      const float steps = kind == QC_ADD
                              ? first * a_step + second * b_step
                              : first * second * (0.040562573820352554f * b_step);
      const AllowedCodes allowed = CodesWithin(bounds[i], 0, 255);
      const double other = std::clamp(std::nearbyint(double{steps}) + 124, 0.0, 255.0);
      outside += !allowed.Holds(own[i]) || !allowed.Holds(static_cast<int64_t>(other));
      of_two += allowed.count() > 1 ? 1 : 0;
    }
    EXPECT_EQ(outside, 0) << kind;
    EXPECT_LT(of_two, 100) << kind;
    if (kind != QC_ADD) continue;
    // 158 and 136: 154.4999978, which fixed point rounds to 155.
    const Bounded& reported = bounds[158 * 256 + 136];
    EXPECT_NEAR(reported.value, 154.4999978, 1e-7);
    EXPECT_NEAR(DistanceToTie(reported.value), 2.2e-6, 1e-7);
    EXPECT_TRUE(CodesWithin(reported, 0, 255).Holds(154));
    EXPECT_TRUE(CodesWithin(reported, 0, 255).Holds(155));
    EXPECT_FALSE(CodesWithin(reported, 0, 255).Holds(156));
  }
}

// QNNPACK's addition: both multipliers in 22 bits, one shift, halves away from zero.
int32_t QnnpackSum(int32_t a, int32_t b, float a_step, float b_step, int32_t zero_a,
                   int32_t zero_b, int32_t zero_y) {
  const int shift = 21 - std::ilogb(std::max(a_step, b_step));
  const auto a_multiplier = static_cast<int32_t>(std::lrint(std::ldexp(a_step, shift)));
  const auto b_multiplier = static_cast<int32_t>(std::lrint(std::ldexp(b_step, shift)));
  const int32_t sum = (a - zero_a) * a_multiplier + (b - zero_b) * b_multiplier;
  const int32_t mask = (1 << shift) - 1;
  const int32_t remainder = (sum & mask) - (sum < 0 ? 1 : 0);
  const int32_t code = (sum >> shift) + (remainder > (mask >> 1) ? 1 : 0) + zero_y;
  return std::clamp(code, 0, 255);
}

TEST(ErrorBound, FixedPointSumsOfAllPairsAreKept) {
  const auto [a, b] = AllPairs();
  for (const float so : {0.09029635787010193f, 0.011f, 0.7f}) {
    TestTensor x = TestTensor::Codes(QC_U8, {65536}, a, 0.040562573820352554f, 112);
    TestTensor w = TestTensor::Codes(QC_U8, {65536}, b, 0.08881603181362152f, 126);
    TestTensor y(QC_U8, {65536});
    y.Quantize({so}, {124});
    const auto bounds = BoundsOf(QC_ADD, EmptyAttributes(), {&x, &w}, y);
    ASSERT_EQ(bounds.size(), 2u);
    const BoundedValues fixed = bounds[1].evaluate().at(0);
    int64_t outside = 0;
    double reached = 0;
    for (size_t i = 0; i < fixed.size(); ++i) {
      const int32_t code = QnnpackSum(a[i], b[i], 0.040562573820352554f / so,
                                      0.08881603181362152f / so, 112, 126, 124);
      outside += !CodesWithin(fixed[i], 0, 255).Holds(code);
      if (code > 0 && code < 255)
        reached =
            std::max(reached, (std::abs(code - fixed[i].value) - 0.5) / fixed[i].error);
    }
    EXPECT_EQ(outside, 0) << so;
    std::cout << "fixed point sums reach " << reached << " of their bound\n";
  }
  EXPECT_EQ(QnnpackSum(158, 136, 0.040562573820352554f / 0.09029635787010193f,
                       0.08881603181362152f / 0.09029635787010193f, 112, 126, 124),
            155)
      << "the public report";
}

TEST(ErrorBound, SetsAreClampedAndHoldBothSidesOfATie) {
  const AllowedCodes tie = CodesWithin({2.5, 0}, 0, 255);
  EXPECT_EQ(tie.least, 2);
  EXPECT_EQ(tie.most, 3);
  EXPECT_EQ(CodesWithin({2.49, 0.001}, 0, 255).count(), 1);
  EXPECT_EQ(CodesWithin({-1e30, 1e20}, 0, 255).most, 0);
  EXPECT_EQ(CodesWithin({1e30, 1e20}, -128, 127).least, 127);
  const AllowedCodes all = CodesWithin({3, 1e9}, -128, 127);
  EXPECT_EQ(all.count(), 256);
}

// The formula's n is the one of the call.
TEST(ErrorBound, SaysItsInputs) {
  TestTensor x = TestTensor::Codes(QC_U8, {2, 5}, PatternCodes(10), 0.02f, 3);
  TestTensor w = TestTensor::Codes(QC_S8, {4, 5}, PatternCodes(20, 0, -128), 0.5f, 0);
  TestTensor y(QC_U8, {2, 4});
  y.Quantize({2.0f}, {9});
  const auto bounds = BoundsOf(QC_LINEAR, EmptyAttributes(), {&x, &w, nullptr}, y);
  ASSERT_EQ(bounds.size(), 4u) << "no rounded bias without a bias";
  EXPECT_EQ(bounds[0].inputs, "n = 5, sx = 0.0199999996, sw = 0.5, so = 2");
  EXPECT_NE(bounds[0].formula.find("gamma_4"), std::string::npos);
  EXPECT_EQ(bounds.back().name, "float32 sums");
  // The widest comes last.
  const BoundedValues integers = bounds.front().evaluate().at(0);
  const BoundedValues floats = bounds.back().evaluate().at(0);
  for (size_t i = 0; i < integers.size(); ++i) {
    EXPECT_EQ(integers[i].value, floats[i].value);
    EXPECT_LT(integers[i].error, floats[i].error);
  }
}

TEST(ErrorBound, NothingIsBoundWithoutADefinition) {
  TestTensor x = TestTensor::Real({4}, {1, 2, 3, 4});
  TestTensor y(QC_F32, {5});
  EXPECT_TRUE(BoundsOf(QC_RELU, EmptyAttributes(), {&x}, y).empty());
  // 70000 * 255 * 255 leaves 32 bits.
  TestTensor big = TestTensor::Codes(QC_U8, {1, 70000}, Codes(70000, 255), 1.0f, 0);
  TestTensor w = TestTensor::Codes(QC_U8, {1, 70000}, Codes(70000, 255), 1.0f, 0);
  TestTensor sum(QC_U8, {1, 1});
  sum.Quantize({1.0f}, {0});
  EXPECT_TRUE(BoundsOf(QC_LINEAR, EmptyAttributes(), {&big, &w, nullptr}, sum).empty());
}

}  // namespace
}  // namespace qconform
