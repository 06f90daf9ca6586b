// Public bug reports about kernels, as values of the scalar definition.
#include "reference/numerics/scalar_operator.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

using Codes = std::vector<int32_t>;

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

qc_attributes ConvAttributes(int spatial, int64_t padding) {
  qc_attributes attributes = EmptyAttributes();
  attributes.spatial_rank = spatial;
  attributes.groups = 1;
  for (int i = 0; i < spatial; ++i) {
    attributes.stride[i] = attributes.dilation[i] = 1;
    attributes.padding_before[i] = attributes.padding_after[i] = padding;
  }
  return attributes;
}

TEST(Conv, PadsWithTheZeroPoint) {
  for (const int32_t zero_point : {0, 1, 10, 128, 239}) {
    TestTensor x = TestTensor::Codes(QC_U8, {1, 1, 3},
                                     {zero_point + 2, zero_point + 4, zero_point + 6},
                                     1.0f, zero_point);
    TestTensor w = TestTensor::Codes(QC_S8, {1, 1, 3}, {1, 1, 1}, 1.0f, 0);
    TestTensor y(QC_S32, {1, 1, 3});
    EXPECT_EQ(RunOperator(QC_CONV, ConvAttributes(1, 1), {&x, &w}, y).reason, "");
    EXPECT_EQ(y.integers(), (Codes{6, 12, 10}));
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

// All-zero input shows the bias alone: rint(b / so), for a float bias and for its code
// in units of sx * sw.
TEST(Linear, ScalesTheBiasByInputAndWeight) {
  TestTensor x = TestTensor::Codes(QC_U8, {1, 2}, {9, 9}, 0.02f, 9);
  TestTensor w = TestTensor::Codes(QC_S8, {1, 2}, {1, -1}, 0.01f, 0);
  TestTensor real = TestTensor::Real({1}, {0.7f});
  TestTensor code(QC_S32, {1});
  WriteIntegers(code.get(), Codes{3500});
  for (TestTensor* bias : {&real, &code}) {
    for (const char* scheme : {kFloatBiasSchemeName, kRoundedBiasSchemeName}) {
      TestTensor y = TestTensor::Codes(QC_U8, {1, 1}, {0}, 0.1f, 0);
      ASSERT_EQ(
          RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w, bias}, y, scheme).status,
          QC_OK);
      EXPECT_EQ(y.integers(), Codes{7});
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

// Average pooling: padding is real zero, and an odd zero point takes no part in ties.
TEST(AveragePool, CountsPaddingAsAsked) {
  qc_attributes a = ConvAttributes(2, 1);
  a.kernel[0] = a.kernel[1] = 2;
  for (const std::vector<int>& order :
       {std::vector<int>{}, std::vector<int>{0, 2, 3, 1}}) {
    TestTensor x =
        TestTensor::Codes(QC_U8, {1, 1, 2, 2}, {10, 11, 12, 14}, 0.5f, 3, order);
    TestTensor y = TestTensor::Codes(QC_U8, {1, 1, 3, 3}, Codes(9, 0), 0.5f, 3, order);
    a.count_include_pad = 1;
    ASSERT_EQ(RunOperator(QC_AVG_POOL, a, {&x}, y).reason, "");
    EXPECT_EQ(y.integers(), (Codes{5, 7, 5, 7, 12, 8, 5, 8, 6}));
    a.count_include_pad = 0;
    RunOperator(QC_AVG_POOL, a, {&x}, y);
    EXPECT_EQ(y.integers(), (Codes{10, 11, 11, 11, 12, 13, 12, 13, 14}));
  }
}

TEST(AveragePool, RoundsTiesBeforeTheZeroPoint) {
  const std::vector<std::pair<Codes, int32_t>> table = {
      {{10, 11}, 11}, {{11, 12}, 11}, {{0, 1}, 1}};
  qc_attributes pool = ConvAttributes(2, 0);
  pool.kernel[0] = 1;
  pool.kernel[1] = 2;
  qc_attributes mean = EmptyAttributes();
  mean.axis_mask = 0b1100;
  for (const auto& [codes, want] : table) {
    TestTensor x = TestTensor::Codes(QC_U8, {1, 1, 1, 2}, codes, 0.5f, 3);
    TestTensor y = TestTensor::Codes(QC_U8, {1, 1, 1, 1}, {0}, 0.5f, 3);
    RunOperator(QC_AVG_POOL, pool, {&x}, y);
    EXPECT_EQ(y.integers(), Codes{want});
    RunOperator(QC_ADAPTIVE_AVG_POOL, pool, {&x}, y);
    EXPECT_EQ(y.integers(), Codes{want});
    TestTensor flat = TestTensor::Codes(QC_U8, {1, 1}, {0}, 0.5f, 3);
    RunOperator(QC_MEAN, mean, {&x}, flat);
    EXPECT_EQ(flat.integers(), Codes{want});
  }
}

TEST(MaxPool, DropsWindowsOfPaddingAlone) {
  qc_attributes a = ConvAttributes(2, 1);
  a.kernel[0] = a.kernel[1] = a.stride[0] = a.stride[1] = 2;
  TestTensor x =
      TestTensor::Codes(QC_U8, {2, 3, 11, 9}, Codes(2 * 3 * 11 * 9, 7), 1.0f, 100);
  for (const int ceil_mode : {0, 1}) {
    a.ceil_mode = ceil_mode;
    TestTensor y = TestTensor::Codes(QC_U8, {2, 3, 6, 5}, Codes(180, 0), 1.0f, 100);
    ASSERT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, y).reason, "");
    // Codes below the zero point win over padding, which is below every code.
    EXPECT_EQ(y.integers(), Codes(180, 7));
    TestTensor wrong = TestTensor::Codes(QC_U8, {2, 3, 7, 6}, Codes(252, 0), 1.0f, 100);
    EXPECT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, wrong).status, QC_UNSUPPORTED);
  }
  a.padding_before[0] = a.padding_after[0] = 2;
  TestTensor y = TestTensor::Codes(QC_U8, {2, 3, 7, 5}, Codes(210, 0), 1.0f, 100);
  EXPECT_EQ(RunOperator(QC_MAX_POOL, a, {&x}, y).status, QC_UNSUPPORTED);
}

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

TEST(Operators, TakeSizesOfZero) {
  TestTensor x = TestTensor::Codes(QC_U8, {0, 4}, {}, 1.0f, 0);
  TestTensor w = TestTensor::Codes(QC_S8, {3, 4}, Codes(12, 1), 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_U8, {0, 3}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&x, &w}, y).status, QC_OK);
  TestTensor rows = TestTensor::Codes(QC_U8, {2, 10}, Codes(20, 1), 1.0f, 0);
  TestTensor none = TestTensor::Codes(QC_S8, {0, 10}, {}, 1.0f, 0);
  TestTensor empty = TestTensor::Codes(QC_U8, {2, 0}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&rows, &none}, empty).status,
            QC_OK);
  // Without features the result is the bias.
  TestTensor nothing = TestTensor::Codes(QC_U8, {2, 0}, {}, 1.0f, 0);
  TestTensor no_weight = TestTensor::Codes(QC_S8, {2, 0}, {}, 1.0f, 0);
  TestTensor bias = TestTensor::Real({2}, {3.0f, 7.0f});
  TestTensor out = TestTensor::Codes(QC_U8, {2, 2}, Codes(4, 0), 1.0f, 1);
  EXPECT_EQ(RunOperator(QC_LINEAR, EmptyAttributes(), {&nothing, &no_weight, &bias}, out)
                .status,
            QC_OK);
  EXPECT_EQ(out.integers(), (Codes{4, 8, 4, 8}));
  // A dynamic input without elements has the range [0, 0].
  qc_attributes dynamic = EmptyAttributes();
  dynamic.dynamic = 1;
  TestTensor real = TestTensor::Real({0, 4}, {});
  TestTensor result = TestTensor::Real({0, 3}, {});
  EXPECT_EQ(RunOperator(QC_LINEAR, dynamic, {&real, &w}, result).reason, "");
  qc_attributes conv = ConvAttributes(2, 1);
  TestTensor images = TestTensor::Codes(QC_U8, {0, 2, 5, 5}, {}, 1.0f, 0);
  TestTensor kernel = TestTensor::Codes(QC_S8, {3, 2, 3, 3}, Codes(54, 1), 1.0f, 0);
  TestTensor maps = TestTensor::Codes(QC_U8, {0, 3, 5, 5}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_CONV, conv, {&images, &kernel}, maps).reason, "");
  conv.kernel[0] = conv.kernel[1] = 3;
  TestTensor pooled = TestTensor::Codes(QC_U8, {0, 2, 5, 5}, {}, 1.0f, 0);
  EXPECT_EQ(RunOperator(QC_MAX_POOL, conv, {&images}, pooled).reason, "");
  EXPECT_EQ(RunOperator(QC_AVG_POOL, conv, {&images}, pooled).reason, "");
  EXPECT_EQ(RunOperator(QC_ADD, EmptyAttributes(), {&images, &images}, pooled).reason,
            "");
  EXPECT_EQ(RunOperator(QC_RELU, EmptyAttributes(), {&images}, pooled).reason, "");
}

// Fixed-point additions answer 155 here: the exact value lies just below the tie.
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

// The same bytes from one thread and from several, on an operator large enough to be
// shared.
TEST(Operators, DoNotDependOnTheNumberOfThreads) {
  std::mt19937 random(9);
  Codes input, weights;
  for (int i = 0; i < 4 * 8 * 20 * 20; ++i) {
    input.push_back(static_cast<int32_t>(random() % 256));
  }
  for (int i = 0; i < 16 * 8 * 9; ++i) {
    weights.push_back(static_cast<int32_t>(random() % 256) - 128);
  }
  TestTensor x = TestTensor::Codes(QC_U8, {4, 8, 20, 20}, input, 0.1f, 77);
  TestTensor w = TestTensor::Codes(QC_S8, {16, 8, 3, 3}, weights, 0.01f, 0);
  const qc_attributes a = ConvAttributes(2, 1);
  const int threads = omp_get_max_threads();
  for (const char* scheme : {kFloatBiasSchemeName, kRealSchemeName}) {
    std::vector<Codes> results;
    for (const int count : {1, 2, 3}) {
      omp_set_num_threads(count);
      TestTensor y =
          TestTensor::Codes(QC_U8, {4, 16, 20, 20}, Codes(25600, 0), 0.9f, 128);
      ASSERT_EQ(RunOperator(QC_CONV, a, {&x, &w}, y, scheme).status, QC_OK);
      results.push_back(y.integers());
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
  omp_set_num_threads(threads);
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

TEST(Operators, RefuseWhatHasNoDefinition) {
  TestTensor x = TestTensor::Codes(QC_U8, {2}, {1, 2}, 1.0f, 0);
  TestTensor y = TestTensor::Codes(QC_U8, {3}, {0, 0, 0}, 1.0f, 0);
  EXPECT_NE(RunOperator(QC_RELU, EmptyAttributes(), {&x}, y).reason, "");
  EXPECT_NE(RunOperator(QC_LSTM, EmptyAttributes(), {&x}, x).reason, "");
  EXPECT_NE(RunOperator(QC_RELU, EmptyAttributes(), {&x}, x, "no/such").reason, "");
}

}  // namespace
}  // namespace qconform
