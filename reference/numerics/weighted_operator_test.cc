// Public bug reports about convolution and linear, as values of the scalar definition.
#include <gtest/gtest.h>

#include <random>

#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

// Pair sums of u8 * s8 products that do not fit into 16 bits.
TEST(Linear, DoesNotSaturatePairs) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 2}, {255, 255}, 1.0f, 144);
  TestTensor w =
      TestTensor::Codes(QC_S8, {3, 2}, {113, 113, 114, 113, 127, 127}, 1.0f, 0);
  TestTensor accumulators(QC_S32, {1, 3});
  EXPECT_EQ(
      RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w, nullptr}, accumulators).status,
      QC_OK);
  EXPECT_EQ(accumulators.integers(), (Codes{25086, 25197, 28194}));
  TestTensor y = TestTensor::Codes(QC_U8, {1, 3}, {0, 0, 0}, 100.0f, 0);
  RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w}, y);
  EXPECT_EQ(y.integers(), (Codes{251, 252, 255}));
  TestTensor second = TestTensor::Codes(QC_U8, {1, 2}, {211, 171}, 1.0f, 0);
  TestTensor weights = TestTensor::Codes(QC_S8, {1, 2}, {71, 107}, 1.0f, 0);
  TestTensor sum(QC_S32, {1, 1});
  RunOperator(QC_LINEAR, EmptyAttributes(), {&second, &weights}, sum);
  EXPECT_EQ(sum.integers(), Codes{33278});
}

TEST(Conv, PadsWithTheZeroPoint) {
  for (const int32_t zero_point : {0, 1, 10, 128, 255}) {
    // No code lies above 255.
    const int32_t sign = zero_point == 255 ? -1 : 1;
    TestTensor x = TestTensor::Codes(
        QC_U8, {1, 1, 3},
        {zero_point + 2 * sign, zero_point + 4 * sign, zero_point + 6 * sign}, 1.0f,
        zero_point);
    TestTensor w = TestTensor::Codes(QC_S8, {1, 1, 3}, {1, 1, 1}, 1.0f, 0);
    TestTensor y(QC_S32, {1, 1, 3});
    EXPECT_EQ(RunOperator(QC_CONV, ConvAttributes(1, 1), {&x, &w}, y).reason, "");
    EXPECT_EQ(y.integers(), (Codes{6 * sign, 12 * sign, 10 * sign})) << zero_point;
  }
}

TEST(Conv, ReportsAnOverflowingAccumulator) {
  const int64_t k = 70000;
  TestTensor x = TestTensor::Codes(QC_U8, {1, k}, Codes(k, 255), 1.0f, 0);
  TestTensor w = TestTensor::Codes(QC_S8, {1, k}, Codes(k, 127), 1.0f, 0);
  TestTensor y(QC_S32, {1, 1});
  EXPECT_TRUE(
      RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w}, y).report.accumulator_overflow);
  EXPECT_EQ(y.integers()[0], static_cast<int32_t>(int64_t{70000} * 255 * 127));
  TestTensor small = TestTensor::Codes(QC_S8, {1, k}, Codes(k, 1), 1.0f, 0);
  EXPECT_FALSE(RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &small}, y)
                   .report.accumulator_overflow);
}

// Every scheme that an operator may name for a bias.
constexpr const char* kBiasSchemes[] = {kFloatBiasSchemeName, kRoundedBiasSchemeName,
                                        "q31/one/up/bias_s32/zp_after",
                                        "q31/two/up/bias_s32/zp_after"};

// pytorch/pytorch#107810, #23874: all-zero input shows the bias alone: rint(b / so), for
// a float bias and for its code in units of sx * sw.
TEST(Linear, ScalesTheBiasByInputAndWeight) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 2}, {9, 9}, 0.02f, 9);
  TestTensor w = TestTensor::Codes(QC_S8, {1, 2}, {1, -1}, 0.01f, 0);
  TestTensor real = TestTensor::Real({1}, {0.7f});
  TestTensor code(QC_S32, {1});
  WriteIntegers(code.get(), Codes{3500});
  for (TestTensor* bias : {&real, &code}) {
    for (const char* scheme : kBiasSchemes) {
      TestTensor y = TestTensor::Codes(QC_U8, {1, 1}, {0}, 0.1f, 0);
      ASSERT_EQ(
          RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w, bias}, y, scheme).status,
          QC_OK);
      EXPECT_EQ(y.integers(), Codes{7}) << scheme;
    }
  }
}

// The same issues: 0.7 is 3500 units of 0.02 * 0.01. An output whose step is one unit
// shows the bias's own code; by channel 3500, 1750 and 7000 units, each 7000 steps of the
// smallest.
TEST(Weighted, RoundsAFloatBiasToUnitsOfInputTimesWeight) {
  for (const qc_operator_kind kind : {QC_LINEAR, QC_CONV}) {
    const bool is_conv = kind == QC_CONV;
    const qc_attributes attributes = is_conv ? ConvAttributes(1, 0) : EmptyAttributes();
    const auto shape = [is_conv](int64_t rows, int64_t columns) {
      std::vector<int64_t> sizes = {rows, columns};
      if (is_conv) sizes.push_back(1);
      return sizes;
    };
    TestTensor x = TestTensor::Codes(QC_U8, shape(1, 2), {9, 9}, 0.02f, 9);
    TestTensor w = TestTensor::Codes(QC_S8, shape(1, 2), {1, -1}, 0.01f, 0);
    TestTensor bias = TestTensor::Real({1}, {0.7f});
    TestTensor y = TestTensor::Codes(QC_S32, shape(1, 1), {0}, 2e-4f, 0);
    ASSERT_EQ(
        RunOperator(kind, attributes, {&x, &w, &bias}, y, kRoundedBiasSchemeName).reason,
        "");
    EXPECT_EQ(y.integers(), Codes{3500});

    TestTensor channels =
        TestTensor::Codes(QC_S8, shape(3, 2), {1, -1, 5, 7, -128, 127}, 1.0f, 0);
    channels.Quantize({0.01f, 0.02f, 0.005f}, {0, 0, 0}, 0);
    TestTensor biases = TestTensor::Real({3}, {0.7f, 0.7f, 0.7f});
    TestTensor steps = TestTensor::Codes(QC_S32, shape(1, 3), {0, 0, 0}, 1e-4f, 0);
    ASSERT_EQ(RunOperator(kind, attributes, {&x, &channels, &biases}, steps,
                          kRoundedBiasSchemeName)
                  .reason,
              "");
    EXPECT_EQ(steps.integers(), (Codes{7000, 7000, 7000}));
  }
}

// The same, by channel and for convolutions: a bias code counts in units of sx * sw[o].
TEST(Weighted, ScalesTheBiasOfEachChannel) {
  for (const qc_operator_kind kind : {QC_LINEAR, QC_CONV}) {
    for (const bool per_channel : {false, true}) {
      for (const bool as_code : {false, true}) {
        for (const char* scheme : kBiasSchemes) {
          const bool is_conv = kind == QC_CONV;
          using Shape = std::vector<int64_t>;
          TestTensor x = TestTensor::Codes(QC_U8, is_conv ? Shape{1, 2, 1} : Shape{1, 2},
                                           {9, 9}, 0.02f, 9);
          TestTensor w = TestTensor::Codes(QC_S8, is_conv ? Shape{3, 2, 1} : Shape{3, 2},
                                           {1, -1, 5, 7, -128, 127}, 0.01f, 0);
          if (per_channel) w.Quantize({0.01f, 0.02f, 0.005f}, {0, 0, 0}, 0);
          TestTensor real = TestTensor::Real({3}, {0.7f, -0.3f, 1.2f});
          TestTensor code(QC_S32, {3});
          WriteIntegers(code.get(), per_channel ? Codes{3500, -750, 12000}
                                                : Codes{3500, -1500, 6000});
          TestTensor y = TestTensor::Codes(QC_U8, is_conv ? Shape{1, 3, 1} : Shape{1, 3},
                                           Codes(3, 0), 0.1f, 50);
          ASSERT_EQ(RunOperator(kind, is_conv ? ConvAttributes(1, 0) : EmptyAttributes(),
                                {&x, &w, as_code ? &code : &real}, y, scheme)
                        .status,
                    QC_OK);
          EXPECT_EQ(y.integers(), (Codes{57, 47, 62}))
              << kind << per_channel << as_code << scheme;
        }
      }
    }
  }
}

// tensorflow/tflite-micro#3252, google-ai-edge/LiteRT#7441, tensorflow/tensorflow#99072:
// a backend names its model and is held to it exactly, for each operator by itself.
TEST(Weighted, RequantizesByTheNamedModel) {
  struct Row {
    float multiplier;
    int32_t accumulator;
    int32_t single_up, twice, even;
  };
  const std::vector<Row> table = {
      {0.3f, 1, 0, 1, 0},      {0.3f, 8, 2, 3, 2},      {0.3f, -1, 0, -1, 0},
      {0.3f, -8, -2, -3, -2},  {0.011f, 45, 0, 1, 0},   {0.011f, 136, 1, 2, 1},
      {0.25f, 2, 1, 1, 0},     {0.25f, 10, 3, 3, 2},    {0.25f, -2, 0, -1, 0},
      {0.25f, -6, -1, -2, -2}, {0.25f, -10, -2, -3, -2}};
  for (const qc_operator_kind kind : {QC_LINEAR, QC_CONV}) {
    const bool is_conv = kind == QC_CONV;
    const std::vector<int64_t> shape =
        is_conv ? std::vector<int64_t>{1, 1, 1} : std::vector<int64_t>{1, 1};
    for (const Row& row : table) {
      const int32_t sign = row.accumulator < 0 ? -1 : 1;
      TestTensor x = TestTensor::Codes(QC_U8, shape, {sign * row.accumulator}, 1.0f, 0);
      TestTensor w = TestTensor::Codes(QC_S8, shape, {sign}, row.multiplier, 0);
      const auto code = [&](const char* scheme) {
        TestTensor y = TestTensor::Codes(QC_S8, shape, {0}, 1.0f, 0);
        EXPECT_EQ(RunOperator(kind, is_conv ? ConvAttributes(1, 0) : EmptyAttributes(),
                              {&x, &w}, y, scheme)
                      .status,
                  QC_OK);
        return y.integers()[0];
      };
      EXPECT_EQ(code("q31/one/up/bias_s32/zp_after"), row.single_up) << row.accumulator;
      EXPECT_EQ(code("q31/two/up/bias_s32/zp_after"), row.twice) << row.accumulator;
      EXPECT_EQ(code(kFloatBiasSchemeName), row.even) << row.accumulator;
    }
  }
}

// pytorch/pytorch#37188, #49779: whole operators round ties to even before an odd zero
// point joins, and clamp what falls below code 0.
TEST(Weighted, AddsTheZeroPointAfterRounding) {
  const std::vector<std::pair<int32_t, Codes>> table = {
      {128, {128, 130, 130, 132, 128, 126, 126, 124}},
      {3, {3, 5, 5, 7, 3, 1, 1, 0}},
      {1, {1, 3, 3, 5, 1, 0, 0, 0}},
      {0, {0, 2, 2, 4, 0, 0, 0, 0}},
  };
  for (const qc_operator_kind kind : {QC_LINEAR, QC_CONV}) {
    const bool is_conv = kind == QC_CONV;
    using Shape = std::vector<int64_t>;
    // Half a step of the output for each unit of the accumulator.
    TestTensor x =
        TestTensor::Codes(QC_U8, is_conv ? Shape{1, 1, 1} : Shape{1, 1}, {1}, 0.5f, 0);
    TestTensor w = TestTensor::Codes(QC_S8, is_conv ? Shape{8, 1, 1} : Shape{8, 1},
                                     {1, 3, 5, 7, -1, -3, -5, -7}, 1.0f, 0);
    for (const auto& [zero_point, want] : table) {
      for (const char* scheme :
           {kFloatBiasSchemeName, kRoundedBiasSchemeName, kRealSchemeName}) {
        TestTensor y = TestTensor::Codes(QC_U8, is_conv ? Shape{1, 8, 1} : Shape{1, 8},
                                         Codes(8, 77), 1.0f, zero_point);
        ASSERT_EQ(RunOperator(kind, is_conv ? ConvAttributes(1, 0) : EmptyAttributes(),
                              {&x, &w}, y, scheme)
                      .reason,
                  "");
        EXPECT_EQ(y.integers(), want) << zero_point << scheme;
      }
    }
  }
}

// A literal loop over logical indices, for every combination of attributes.
Codes ConvByDefinition(const qc_tensor& x, const qc_tensor& w, const qc_attributes& a,
                       const qc_tensor& y) {
  const Codes cx = ReadIntegers(x), cw = ReadIntegers(w);
  Codes out;
  const int64_t groups = a.groups, cg = x.shape[1] / groups, og = w.shape[0] / groups;
  for (int64_t n = 0; n < y.shape[0]; ++n)
    for (int64_t o = 0; o < y.shape[1]; ++o)
      for (int64_t i = 0; i < y.shape[2]; ++i)
        for (int64_t j = 0; j < y.shape[3]; ++j) {
          int32_t sum = 0;
          for (int64_t c = 0; c < cg; ++c)
            for (int64_t p = 0; p < w.shape[2]; ++p)
              for (int64_t q = 0; q < w.shape[3]; ++q) {
                const int64_t h =
                    i * a.stride[0] - a.padding_before[0] + p * a.dilation[0];
                const int64_t v =
                    j * a.stride[1] - a.padding_before[1] + q * a.dilation[1];
                if (h < 0 || v < 0 || h >= x.shape[2] || v >= x.shape[3]) continue;
                const int64_t channel = o / og * cg + c;
                const size_t xi = static_cast<size_t>(
                    ((n * x.shape[1] + channel) * x.shape[2] + h) * x.shape[3] + v);
                const size_t wi =
                    static_cast<size_t>(((o * cg + c) * w.shape[2] + p) * w.shape[3] + q);
                sum += (cx[xi] - ZeroPointAt(x)) * (cw[wi] - ZeroPointAt(w, o));
              }
          out.push_back(sum);
        }
  return out;
}

TEST(Conv, EqualsTheLiteralLoopForAnyStrides) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const auto pick = [&](int n) { return static_cast<int64_t>(random() % n); };
    qc_attributes a = ConvAttributes(2, 0);
    a.groups = 1 + pick(3);
    const int64_t cg = 1 + pick(5), og = 1 + pick(6), n = 1 + pick(2);
    std::vector<int64_t> size = {4 + pick(6), 4 + pick(6)};
    std::vector<int64_t> kernel = {1 + pick(3), 1 + pick(3)};
    std::vector<int64_t> output;
    for (int i = 0; i < 2; ++i) {
      a.stride[i] = 1 + pick(3);
      a.dilation[i] = 1 + pick(2);
      a.padding_before[i] = pick(3);
      a.padding_after[i] = pick(3);
      const int64_t reach = a.dilation[i] * (kernel[i] - 1) + 1;
      const int64_t padded = size[i] + a.padding_before[i] + a.padding_after[i];
      output.push_back((padded - reach) / a.stride[i] + 1);
    }
    const auto codes = [&](int64_t count, int32_t low, int32_t high) {
      Codes values;
      for (int64_t i = 0; i < count; ++i) {
        values.push_back(low + static_cast<int32_t>(pick(high - low + 1)));
      }
      return values;
    };
    const bool last = pick(2) == 0;
    const std::vector<int> order =
        last ? std::vector<int>{0, 2, 3, 1} : std::vector<int>{};
    TestTensor x =
        TestTensor::Codes(QC_U8, {n, cg * a.groups, size[0], size[1]},
                          codes(n * cg * a.groups * size[0] * size[1], 0, 255), 0.1f,
                          static_cast<int32_t>(pick(256)), order, pick(3));
    TestTensor w(QC_S8, {og * a.groups, cg, kernel[0], kernel[1]});
    std::vector<float> scales(static_cast<size_t>(og * a.groups), 0.01f);
    w.Quantize(scales, codes(og * a.groups, -3, 3), 0);
    WriteIntegers(w.get(), codes(ElementCount(w.get()), -128, 127));
    TestTensor y(QC_S32, {n, og * a.groups, output[0], output[1]}, order);
    const TestRun run = RunOperator(QC_CONV, a, {&x, &w}, y);
    ASSERT_EQ(run.status, QC_OK) << run.reason;
    EXPECT_EQ(y.integers(), ConvByDefinition(x.get(), w.get(), a, y.get())) << trial;
  }
}

// Turning a kernel around and spreading the input gives the transposed convolution.
TEST(ConvTranspose, AddsEachInputTimesTheKernel) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const auto pick = [&](int n) { return static_cast<int64_t>(random() % n); };
    qc_attributes a = ConvAttributes(1, 0);
    a.groups = 1 + pick(2);
    const int64_t cg = 1 + pick(3), og = 1 + pick(3), size = 1 + pick(5);
    const int64_t kernel = 1 + pick(4);
    a.stride[0] = 1 + pick(3);
    a.dilation[0] = 1 + pick(2);
    const int64_t reach = a.dilation[0] * (kernel - 1) + 1;
    a.padding_before[0] = pick(static_cast<int>(reach + 1));
    a.padding_after[0] = pick(static_cast<int>(reach + 1));
    a.output_padding[0] = pick(static_cast<int>(a.stride[0]));
    const int64_t output = (size - 1) * a.stride[0] - a.padding_before[0] -
                           a.padding_after[0] + reach + a.output_padding[0];
    if (output < 1) continue;
    const auto codes = [&](int64_t count) {
      Codes values;
      for (int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<int32_t>(pick(200)) - 100);
      }
      return values;
    };
    const Codes input = codes(cg * a.groups * size);
    const Codes weights = codes(cg * a.groups * og * kernel);
    Codes want(static_cast<size_t>(og * a.groups * output), 0);
    for (int64_t c = 0; c < cg * a.groups; ++c)
      for (int64_t o = 0; o < og; ++o)
        for (int64_t i = 0; i < size; ++i)
          for (int64_t k = 0; k < kernel; ++k) {
            const int64_t at = i * a.stride[0] + k * a.dilation[0] - a.padding_before[0];
            if (at < 0 || at >= output) continue;
            want[static_cast<size_t>((c / cg * og + o) * output + at)] +=
                (input[static_cast<size_t>(c * size + i)] - 5) *
                weights[static_cast<size_t>((c * og + o) * kernel + k)];
          }
    TestTensor x = TestTensor::Codes(QC_S8, {1, cg * a.groups, size}, input, 1.0f, 5);
    TestTensor w =
        TestTensor::Codes(QC_S8, {cg * a.groups, og, kernel}, weights, 1.0f, 0);
    TestTensor y(QC_S32, {1, og * a.groups, output});
    const TestRun run = RunOperator(QC_CONV_TRANSPOSE, a, {&x, &w}, y);
    ASSERT_EQ(run.status, QC_OK) << run.reason;
    EXPECT_EQ(y.integers(), want) << trial;
  }
}

}  // namespace
}  // namespace qconform
