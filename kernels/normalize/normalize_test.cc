#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

TestTensor RandomReal(RandomTensors& random, int64_t count, float low, float high) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(random.Real(low, high));
  return TestTensor::Real({count}, values);
}

struct BatchNorm {
  TestTensor gamma, beta, mean, variance;

  // `exact`: powers of two, which make ties.
  BatchNorm(RandomTensors& random, int64_t channels, bool exact)
      : gamma(RandomReal(random, channels, -2.0f, 2.0f)),
        beta(RandomReal(random, channels, -1.0f, 1.0f)),
        mean(RandomReal(random, channels, -1.0f, 1.0f)),
        variance(RandomReal(random, channels, 0.01f, 3.0f)) {
    if (!exact) return;
    for (auto [tensor, low] :
         {std::pair{&gamma, -2}, {&beta, -4}, {&mean, -4}, {&variance, 0}}) {
      std::vector<float> values = tensor->real();
      for (float& value : values) {
        value = std::ldexp(1.0f, low + 2 * static_cast<int>(random.Below(2)));
      }
      *tensor = TestTensor::Real({channels}, values);
    }
  }

  OperatorTest Of(TestTensor& x, TestTensor& y) {
    OperatorTest test{QC_BATCH_NORM};
    test.inputs = {&x, &gamma, &beta, &mean, &variance};
    test.constants = {&gamma, &beta, &mean, &variance};
    test.outputs = {&y};
    return test;
  }
};

std::vector<int64_t> ShapeWithChannels(RandomTensors& random, int64_t largest) {
  std::vector<int64_t> shape = random.Shape(3, largest);
  shape.insert(shape.begin(), {1 + random.Below(3), 1 + random.Below(40)});
  return shape;
}

TEST(BatchNorm, RandomTensorsAreExactOnEveryPath) {
  static const LoadedBackend backend(kHalideBackend);
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomTensors random(seed);
    const auto shape = ShapeWithChannels(random, 12);
    TestTensor x = random.Codes(shape);
    TestTensor y = random.Codes(shape);
    BatchNorm norm(random, shape[1], random.OneIn(3));
    OperatorTest test = norm.Of(x, y);
    test.attributes.epsilon = random.OneIn(3) ? 0.0f : 1e-5f;
    test.attributes.activation = static_cast<int32_t>(random.Below(4));
    test.attributes.activation_min = -1.25f;
    test.attributes.activation_max = 1.5f;
    if (random.OneIn(4)) test.inputs[1] = nullptr;
    if (random.OneIn(4)) test.inputs[2] = nullptr;
    if (random.OneIn(6)) test.constants.clear();
    if (random.OneIn(6)) test.attributes.activation = QC_ACTIVATION_GELU;
    test.threads = 1 + static_cast<int>(random.Below(3));
    ASSERT_EQ(DifferenceFromScalar(backend, test), "") << "seed " << seed;
  }
}

// Both orders of memory; few channels, many, and rows longer than a piece.
TEST(BatchNorm, LargeTensorsAreExactWithThreads) {
  static const LoadedBackend backend(kHalideBackend);
  const std::vector<std::vector<int64_t>> shapes = {
      {2, 3, 71, 67}, {1, 70, 33, 35}, {2, 513, 7, 7}, {3, 2050}, {1, 2, 40'013}};
  for (const auto& shape : shapes)
    for (const bool channels_last : {false, true}) {
      std::vector<int> order;
      for (int i = 0; i < static_cast<int>(shape.size()); ++i) order.push_back(i);
      if (channels_last) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
      RandomTensors random(5);
      BatchNorm norm(random, shape[1], false);
      TestTensor x(QC_U8, shape, order);
      TestTensor y(QC_S8, shape, order);
      x.Quantize({0.02f}, {120});
      y.Quantize({0.031f}, {-7});
      WriteIntegers(x.get(), PatternCodes(ElementCount(x.get())));
      for (const int threads : {1, 2, 5}) {
        OperatorTest test = norm.Of(x, y);
        test.threads = threads;
        EXPECT_EQ(DifferenceFromScalar(backend, test), "") << shape[1] << " " << threads;
      }
    }
}

// Parameters that are no numbers, or infinite: such channels are looked up.
TEST(BatchNorm, ParametersThatAreNotFinite) {
  static const LoadedBackend backend(kHalideBackend);
  RandomTensors random(1);
  BatchNorm norm(random, 5, false);
  norm.gamma = TestTensor::Real({5}, {NAN, INFINITY, 0.0f, 1e30f, 1.0f});
  norm.variance = TestTensor::Real({5}, {1.0f, 1.0f, 0.0f, -1.0f, 1e-30f});
  for (const bool channels_last : {false, true}) {
    const std::vector<int> order =
        channels_last ? std::vector<int>{0, 2, 1} : std::vector<int>{0, 1, 2};
    TestTensor x(QC_S8, {2, 5, 300}, order);
    x.Quantize({0.02f}, {3});
    WriteIntegers(x.get(), PatternCodes(3000, 0, -128));
    TestTensor y(QC_U8, {2, 5, 300}, order);
    y.Quantize({0.5f}, {10});
    EXPECT_EQ(DifferenceFromScalar(backend, norm.Of(x, y)), "");
  }
}

TEST(BatchNorm, OtherSchemesAreLookedUp) {
  static const LoadedBackend backend(kHalideBackend);
  RandomTensors random(8);
  BatchNorm norm(random, 7, true);
  TestTensor x = random.Codes({2, 7, 90});
  TestTensor y = random.Codes({2, 7, 90});
  for (const char* scheme :
       {"real/one/away/bias_f32/zp_before", "real_divide/one/even/bias_f32/zp_after"}) {
    OperatorTest test = norm.Of(x, y);
    test.scheme = scheme;
    EXPECT_EQ(DifferenceFromScalar(backend, test), "") << scheme;
  }
}

TEST(BatchNorm, WrongRoundingIsCaught) {
  static const LoadedBackend backend(kWrongRoundingBackend);
  TestTensor ones = TestTensor::Real({1}, {1.0f});
  TestTensor zeros = TestTensor::Real({1}, {0.0f});
  TestTensor x = TestTensor::Codes(QC_U8, {1, 1, 2}, {1, 2}, 0.5f, 0);
  TestTensor y(QC_U8, {1, 1, 2});
  y.Quantize({1.0f}, {0});  // the first is half a code
  OperatorTest test{QC_BATCH_NORM};
  test.inputs = {&x, &ones, &zeros, &zeros, &ones};
  test.constants = {&ones, &zeros};
  test.outputs = {&y};
  EXPECT_NE(DifferenceFromScalar(backend, test).find("element 0 is 1, expected 0"),
            std::string::npos);
}

struct RowNorm {
  qc_operator_kind kind;
  qc_attributes attributes = EmptyAttributes();
  TestTensor gamma, beta;

  static std::vector<int64_t> ParameterShape(qc_operator_kind kind,
                                             const std::vector<int64_t>& shape,
                                             int64_t axis) {
    if (kind != QC_LAYER_NORM) return {shape[1]};
    return {shape.begin() + axis, shape.end()};
  }

  // `groups_or_axis`: of group and layer norm.
  RowNorm(RandomTensors& random, qc_operator_kind kind, const std::vector<int64_t>& shape,
          int64_t groups_or_axis)
      : kind(kind),
        gamma(QC_F32, ParameterShape(kind, shape, groups_or_axis)),
        beta(QC_F32, ParameterShape(kind, shape, groups_or_axis)) {
    attributes.axis = groups_or_axis;
    attributes.group_count = groups_or_axis;
    attributes.epsilon = 1e-5f;
    for (TestTensor* tensor : {&gamma, &beta}) {
      std::vector<float> values = tensor->real();
      for (float& value : values) value = random.Real(-1.5f, 1.5f);
      WriteReal(tensor->get(), values, *ParseScheme(kRealSchemeName));
    }
  }

  OperatorTest Of(TestTensor& x, TestTensor& y) {
    OperatorTest test{kind, attributes};
    test.inputs = {&x, &gamma, &beta};
    test.constants = {&gamma, &beta};
    test.outputs = {&y};
    return test;
  }
};

TEST(RowNorm, RandomTensorsAreExactOnEveryPath) {
  static const LoadedBackend backend(kHalideBackend);
  for (const qc_operator_kind kind : {QC_LAYER_NORM, QC_GROUP_NORM, QC_INSTANCE_NORM})
    for (uint32_t seed = 0; seed < 300; ++seed) {
      RandomTensors random(seed);
      std::vector<int64_t> shape = random.Shape(3, 12);
      if (kind == QC_INSTANCE_NORM && shape.empty()) shape = {5};
      shape.insert(shape.begin(), {random.Below(5), 1 + random.Below(12)});
      int64_t choice = random.Below(static_cast<int64_t>(shape.size()));
      if (kind == QC_GROUP_NORM) {
        choice = 1 + random.Below(4);
        shape[1] = choice * random.Below(5);
      }
      TestTensor x = random.Codes(shape);
      TestTensor y = random.Codes(shape);
      RowNorm norm(random, kind, shape, choice);
      OperatorTest test = norm.Of(x, y);
      if (random.OneIn(4)) test.inputs[1] = nullptr;
      if (random.OneIn(4)) test.inputs[2] = nullptr;
      if (random.OneIn(4)) test.constants.clear();
      test.attributes.activation =
          random.OneIn(2) ? static_cast<int32_t>(random.Below(4)) : 0;
      test.attributes.activation_min = -1.25f;
      test.attributes.activation_max = 0.5f;
      test.threads = 1 + static_cast<int>(random.Below(3));
      ASSERT_EQ(DifferenceFromScalar(backend, test), "") << kind << " seed " << seed;
    }
}

// Long rows and many; rows one beside the other in memory; one element.
TEST(RowNorm, LargeTensorsAreExactWithThreads) {
  static const LoadedBackend backend(kHalideBackend);
  struct Case {
    qc_operator_kind kind;
    std::vector<int64_t> shape;
    int64_t choice;
    std::vector<int> order = {};
  };
  const Case cases[] = {{QC_LAYER_NORM, {2, 65, 768}, 2},
                        {QC_LAYER_NORM, {3, 7, 30, 31}, 1, {3, 2, 1, 0}},
                        {QC_LAYER_NORM, {1, 100'003}, 1},
                        {QC_LAYER_NORM, {30'000, 1}, 1},
                        {QC_GROUP_NORM, {2, 64, 29, 31}, 32},
                        {QC_GROUP_NORM, {2, 64, 29, 31}, 8, {0, 2, 3, 1}},
                        {QC_GROUP_NORM, {9, 2050}, 5},
                        {QC_INSTANCE_NORM, {2, 67, 33, 35}, 0},
                        {QC_INSTANCE_NORM, {2, 67, 33, 35}, 0, {0, 2, 3, 1}}};
  for (const Case& c : cases) {
    RandomTensors random(5);
    RowNorm norm(random, c.kind, c.shape, c.choice);
    TestTensor x(QC_U8, c.shape, c.order);
    TestTensor y(QC_S8, c.shape, c.order);
    x.Quantize({0.02f}, {120});
    y.Quantize({0.031f}, {-7});
    WriteIntegers(x.get(), PatternCodes(ElementCount(x.get())));
    for (const int threads : {1, 2, 5}) {
      OperatorTest test = norm.Of(x, y);
      test.threads = threads;
      EXPECT_EQ(DifferenceFromScalar(backend, test), "")
          << c.kind << " of " << c.shape[0] << " " << threads;
    }
  }
}

// Rows of one value, whose variance is zero; values beyond float32.
TEST(RowNorm, OddRows) {
  static const LoadedBackend backend(kHalideBackend);
  for (const float epsilon : {0.0f, 1e-5f})
    for (const float scale : {1e-45f, 0.05f, 1e37f, 3e38f})
      for (const int range : {1, 256}) {
        RandomTensors random(1);
        RowNorm norm(random, QC_LAYER_NORM, {6, 50}, 1);
        norm.attributes.epsilon = epsilon;
        Codes codes = PatternCodes(300);
        for (int32_t& code : codes) code = 150 % range + code % range;
        TestTensor x = TestTensor::Codes(QC_U8, {6, 50}, codes, scale, 77);
        TestTensor y(QC_U8, {6, 50});
        y.Quantize({0.03f}, {100});
        EXPECT_EQ(DifferenceFromScalar(backend, norm.Of(x, y)), "")
            << epsilon << " " << scale << " " << range;
      }
}

TEST(RowNorm, WrongRoundingIsCaught) {
  static const LoadedBackend backend(kWrongRoundingBackend);
  // Mean 0, variance 1: the values are -1 and 1, which are -2.5 and 2.5 codes.
  TestTensor x = TestTensor::Codes(QC_U8, {1, 2}, {0, 2}, 1.0f, 1);
  TestTensor y(QC_U8, {1, 2});
  y.Quantize({0.4f}, {10});
  OperatorTest test{QC_LAYER_NORM};
  test.attributes.axis = 1;
  test.inputs = {&x};
  test.outputs = {&y};
  EXPECT_NE(DifferenceFromScalar(backend, test).find("element 0 is 7, expected 8"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform::kernels
