#include "reference/numerics/requantize.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "reference/numerics/fixed_point.h"

namespace qconform {
namespace {

int32_t Requantize(const char* scheme, float multiplier, int32_t accumulator) {
  const ChannelRequantizer requantizer(*ParseScheme(scheme), multiplier, 1.0f, 1.0f, 0,
                                       std::nullopt, std::nullopt);
  return requantizer.Code(accumulator);
}

TEST(Scheme, ReadsWhatItWrites) {
  for (const char* name :
       {"copy", "f32/one/even/bias_f32/zp_after", "f32/one/even/bias_s32/zp_after",
        "real/one/even/bias_f32/zp_after", "f32/one/away/bias_f32/zp_before",
        "q31/one/up/bias_s32/zp_after", "q31/two/up/bias_s32/zp_after",
        "f32/two/even/bias_f32/zp_after", "real_divide/one/floor/bias_f32/zp_before"}) {
    ASSERT_TRUE(ParseScheme(name)) << name;
    EXPECT_EQ(SchemeName(*ParseScheme(name)), name);
  }
  for (const char* name :
       {"", "f32", "f32/one/even/bias_f32", "q31/one/even/bias_f32/zp_after",
        "f64/two/even/bias_f32/zp_after", "q31/two/even/bias_s32/zp_after",
        "f32/one/even/bias_f32/zp_after/", "f32/one/up_twice/bias_f32/zp_after"}) {
    EXPECT_FALSE(ParseScheme(name)) << name;
  }
}

TEST(Scheme, KnownOnesHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Scheme& scheme : KnownSchemes()) {
    const std::string name = SchemeName(scheme);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(ParseScheme(name), scheme) << name;
  }
  EXPECT_EQ(names.size(), 128u);
}

// One half and what lies beside it, on both sides of zero, under every rule; in floating
// point and in fixed point.
TEST(Requantize, SendsHalvesWhereTheRuleSays) {
  struct Row {
    const char* ties;
    std::vector<int32_t> codes;
  };
  const std::vector<int32_t> accumulators = {-7, -6, -5, -3, -2, -1, 1, 2, 3, 5, 6, 7};
  const std::vector<Row> table = {
      {"even", {-2, -2, -1, -1, 0, 0, 0, 0, 1, 1, 2, 2}},
      {"away", {-2, -2, -1, -1, -1, 0, 0, 1, 1, 1, 2, 2}},
      {"up", {-2, -1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2}},
      {"down", {-2, -2, -1, -1, -1, 0, 0, 0, 1, 1, 1, 2}},
      {"toward_zero", {-2, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 2}},
      {"truncate", {-1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1}},
      {"floor", {-2, -2, -2, -1, -1, -1, 0, 0, 0, 1, 1, 1}}};
  for (const Row& row : table)
    for (const char* multiplier : {"f32/one", "f32/two", "f64/one", "q31/one", "q15/one"})
      for (size_t i = 0; i < accumulators.size(); ++i) {
        const std::string name =
            fmt::format("{}/{}/bias_s32/zp_after", multiplier, row.ties);
        EXPECT_EQ(Requantize(name.c_str(), 0.25f, accumulators[i]), row.codes[i])
            << name << " of " << accumulators[i];
      }
}

// Every scheme, with sums at the ends of int32, halves, both kinds of bias, NaN and
// infinite biases, bounds of codes and bounds beyond float32's integers.
TEST(Requantize, ManyCodesAreTheCodesOneByOne) {
  struct Bias {
    std::optional<float> real;
    std::optional<int32_t> code;
  };
  const Bias biases[] = {
      {},          {1.75f, {}},    {-1e30f, {}}, {std::nanf(""), {}}, {INFINITY, {}},
      {{}, 12345}, {{}, INT32_MAX}};
  std::vector<int32_t> sums = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1};
  for (int32_t sum = -600; sum <= 600; ++sum) sums.push_back(sum);
  const std::pair<int32_t, int32_t> bounds[] = {
      {0, 255}, {-128, 127}, {3, 100}, {INT32_MIN, INT32_MAX}, {-5, -2}};
  std::vector<int32_t> codes(sums.size());
  for (const Scheme& scheme : KnownSchemes()) {
    if (scheme.copy || scheme.multiplier == Scheme::Multiplier::kReal ||
        scheme.multiplier == Scheme::Multiplier::kRealDivide)
      continue;
    for (const Bias& bias : biases)
      for (const float output_scale : {0.5f, 2.0f, 3.0f, 1e-30f})
        for (const auto& [min, max] : bounds) {
          const ChannelRequantizer requantizer(scheme, 0.5f, 0.25f, output_scale, 3,
                                               bias.real, bias.code);
          requantizer.Codes(sums, min, max, codes.data());
          for (size_t i = 0; i < sums.size(); ++i)
            ASSERT_EQ(codes[i], std::clamp(requantizer.Code(sums[i]), min, max))
                << SchemeName(scheme) << " of " << sums[i] << " by " << output_scale;
        }
  }
}

TEST(Requantize, MultipliersKeepAsManyBitsAsTheyHave) {
  // 3/10 is below itself in float32 and above itself in 31 bits.
  const auto code = [](const char* scheme, int32_t accumulator) {
    return ChannelRequantizer(*ParseScheme(scheme), 3.0f, 1.0f, 10.0f, 0, std::nullopt,
                              std::nullopt)
        .Code(accumulator);
  };
  EXPECT_EQ(code("f64/one/even/bias_f32/zp_after", 15), 4);
  EXPECT_EQ(code("q31/one/even/bias_s32/zp_after", 15), 5);
  EXPECT_EQ(code("f64/one/even/bias_s32/zp_after", 1000005), 300002);
  EXPECT_EQ(code("q15/one/up/bias_s32/zp_after", 1000000), 300003);
  // Halves of the second step, that of the shift: away from zero, or up.
  EXPECT_EQ(Requantize("q31/two/up/bias_s32/zp_after", 0.25f, -2), -1);
  EXPECT_EQ(Requantize("q31/two/up_twice/bias_s32/zp_after", 0.25f, -2), 0);
}

// 3/19 rounds down, 3 * 95 * (1/19) does not.
TEST(Requantize, TwoStepsRoundTheRealValueFirst) {
  const auto code = [](const char* scheme, float numerator, float denominator,
                       int32_t accumulator) {
    return ChannelRequantizer(*ParseScheme(scheme), numerator, 1.0f, denominator, 0,
                              std::nullopt, std::nullopt)
        .Code(accumulator);
  };
  EXPECT_EQ(code("f32/one/floor/bias_f32/zp_after", 3, 19, 95), 14);
  EXPECT_EQ(code("f32/two/floor/bias_f32/zp_after", 3, 19, 95), 15);
  EXPECT_EQ(code("f32/one/floor/bias_s32/zp_after", 3, 47, 987), 63);
  EXPECT_EQ(code("f32/two/floor/bias_s32/zp_after", 3, 47, 987), 62);
}

TEST(FixedPoint, SplitsAMultiplier) {
  EXPECT_EQ(ToFixedPoint(0.3).mantissa, 1288490189);
  EXPECT_EQ(ToFixedPoint(0.3).shift, -1);
  EXPECT_EQ(ToFixedPoint(0.011).mantissa, 1511828488);
  EXPECT_EQ(ToFixedPoint(0.011).shift, -6);
}

// tensorflow/tflite-micro#3252, google-ai-edge/LiteRT#7441, tensorflow/tensorflow#99072:
// rounding twice moves values just below a half up; the float rule keeps ties even. Whole
// operators: weighted_operator_test.cc.
TEST(Requantize, SingleAndDoubleRoundingDiffer) {
  struct Row {
    double multiplier;
    int32_t accumulator;
    int32_t single_up;
    int32_t twice;
    int32_t even;
  };
  const std::vector<Row> table = {
      {0.3, 1, 0, 1, 0},      {0.3, 8, 2, 3, 2},      {0.3, -1, 0, -1, 0},
      {0.3, -8, -2, -3, -2},  {0.011, 45, 0, 1, 0},   {0.011, 136, 1, 2, 1},
      {0.25, 2, 1, 1, 0},     {0.25, 10, 3, 3, 2},    {0.25, -2, 0, -1, 0},
      {0.25, -6, -1, -2, -2}, {0.25, -10, -2, -3, -2}};
  for (const Row& row : table) {
    const FixedPointMultiplier fixed = ToFixedPoint(row.multiplier);
    EXPECT_EQ(MultiplyOnce(row.accumulator, fixed, Scheme::Ties::kUp), row.single_up)
        << row.multiplier << " * " << row.accumulator;
    EXPECT_EQ(MultiplyDoubleRounding(row.accumulator, fixed), row.twice)
        << row.multiplier << " * " << row.accumulator;
    const auto multiplier = static_cast<float>(row.multiplier);
    EXPECT_EQ(Requantize("f32/one/even/bias_f32/zp_after", multiplier, row.accumulator),
              row.even);
    if (row.multiplier != 0.25) continue;
    EXPECT_EQ(Requantize("q31/one/up/bias_s32/zp_after", multiplier, row.accumulator),
              row.single_up);
    EXPECT_EQ(Requantize("q31/two/up/bias_s32/zp_after", multiplier, row.accumulator),
              row.twice);
  }
}

// pytorch/pytorch#37188, #49779: the zero point joins after rounding: an odd one does not
// flip ties.
TEST(Requantize, AddsTheZeroPointAfterRounding) {
  const auto code = [](const char* scheme, int32_t zero_point, int32_t accumulator) {
    return ChannelRequantizer(*ParseScheme(scheme), 0.5f, 1.0f, 1.0f, zero_point,
                              std::nullopt, std::nullopt)
        .Code(accumulator);
  };
  for (const int32_t zero_point : {0, 1, 3, 128}) {
    const std::vector<int32_t> accumulators = {1, 3, 5, 7, -1, -3, -5, -7};
    const std::vector<int32_t> want = {0, 2, 2, 4, 0, -2, -2, -4};
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(code("f32/one/even/bias_f32/zp_after", zero_point, accumulators[i]),
                want[i] + zero_point);
    }
  }
  EXPECT_EQ(code("f32/one/even/bias_f32/zp_before", 1, 1), 2);
  EXPECT_EQ(code("f32/one/even/bias_f32/zp_after", 1, 1), 1);
  EXPECT_EQ(code("f32/one/away/bias_f32/zp_after", 0, 1), 1);
  EXPECT_EQ(code("f32/one/away/bias_f32/zp_after", 0, -1), -1);
  EXPECT_EQ(code("f32/one/up/bias_f32/zp_after", 0, -1), 0);
}

// As quantize does: upward, no half is a tie.
TEST(Requantize, FollowsTheRoundingModeOfTheEnvironment) {
  const std::vector<int32_t> accumulators = {1, 3, 5, 7, -1, -3, -5, -7};
  for (const char* scheme :
       {"f32/one/even/bias_f32/zp_after", "f32/one/even/bias_s32/zp_after"}) {
    const ChannelRequantizer requantizer(*ParseScheme(scheme), 0.5f, 1.0f, 1.0f, 128,
                                         std::nullopt, std::nullopt);
    std::vector<int32_t> codes;
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    for (const int32_t accumulator : accumulators) {
      codes.push_back(requantizer.Code(accumulator));
    }
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_EQ(codes, (std::vector<int32_t>{129, 130, 131, 132, 128, 127, 126, 125}))
        << scheme;
  }
}

TEST(Requantize, RoundsTheBiasOnlyUnderBiasS32) {
  const auto code = [](const char* scheme) {
    return ChannelRequantizer(*ParseScheme(scheme), 1.0f, 1.0f, 1.0f, 0, 0.4f,
                              std::nullopt)
        .Code(0);
  };
  EXPECT_EQ(code("f32/one/even/bias_f32/zp_after"), 0);
  const auto half = [](const char* scheme) {
    return ChannelRequantizer(*ParseScheme(scheme), 1.0f, 1.0f, 0.25f, 0, 0.4f,
                              std::nullopt)
        .Code(0);
  };
  EXPECT_EQ(half("f32/one/even/bias_f32/zp_after"), 2);  // 0.4 * 4 = 1.6
  EXPECT_EQ(half("f32/one/even/bias_s32/zp_after"), 0);  // rint(0.4) * 4
}

// pytorch/pytorch#107810: with zero inputs only the bias is left, and it counts in units
// of the input's scale times the weight's, not of the output's.
TEST(Requantize, CountsTheBiasInUnitsOfInputTimesWeight) {
  const std::vector<float> weight_scales = {0.01f, 0.02f, 0.005f};
  for (const float weight_scale : weight_scales) {
    const auto bias_code = static_cast<int32_t>(std::lrint(0.7 / (0.02 * weight_scale)));
    const auto code = [weight_scale](const char* scheme, std::optional<float> bias,
                                     std::optional<int32_t> bias_code) {
      return ChannelRequantizer(*ParseScheme(scheme), 0.02f, weight_scale, 0.1f, 5, bias,
                                bias_code)
          .Code(0);
    };
    for (const char* scheme :
         {"f32/one/even/bias_f32/zp_after", "f32/one/even/bias_s32/zp_after",
          "q31/one/up/bias_s32/zp_after", "q31/two/up/bias_s32/zp_after"}) {
      EXPECT_EQ(code(scheme, 0.7f, std::nullopt), 7 + 5) << scheme;
      EXPECT_EQ(code(scheme, std::nullopt, bias_code), 7 + 5) << scheme;
    }
  }
}

TEST(Requantize, SaturatesHugeProducts) {
  EXPECT_EQ(Requantize("f32/one/even/bias_f32/zp_after", 1e9f, 2000000000), 2147483647);
  EXPECT_EQ(Requantize("f32/one/even/bias_f32/zp_after", 1e9f, -2000000000),
            -2147483647 - 1);
}

}  // namespace
}  // namespace qconform
