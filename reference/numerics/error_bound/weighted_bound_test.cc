// Every accumulator that one product of codes reaches, under every named scheme: each
// code lies in the set of its arithmetic, and the bound is reached.
#include "reference/numerics/error_bound/weighted_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

#include "reference/numerics/error_bound/error_bound.h"
#include "reference/numerics/requantize.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

// (x - zx) (w - zw) of two u8 with any zero points.
constexpr int32_t kLargestProduct = 255 * 255;

struct Requantization {
  float input_scale;
  float weight_scale;
  float output_scale;
  std::optional<float> bias;

  WeightedElement At(int32_t accumulator) const {
    WeightedElement element;
    element.accumulator = accumulator;
    element.products = 1;
    element.product_scale = double{input_scale} * double{weight_scale};
    element.has_real_bias = bias.has_value();
    if (bias) element.bias = double{*bias};
    element.output_scale = double{output_scale};
    return element;
  }
};

// Multipliers below and above a half and a power of two, one that halves every
// accumulator, and those of public bug reports.
std::vector<Requantization> Requantizations() {
  std::vector<Requantization> all;
  for (const float multiplier : {0.3f, 0.011f, 0.25f, 0.5f, 0.75f, 1.0f / 3, 0.0078125f,
                                 1.5f, 0.00390625f * 1.0001f}) {
    for (const std::optional<float> bias :
         {std::optional<float>(), std::optional<float>(0.37f),
          std::optional<float>(-5.55f)}) {
      all.push_back({multiplier * 0.4f, 0.25f, 0.1f, bias});
    }
  }
  return all;
}

// nullopt: it rounds to no nearest code, or knows no accumulator.
std::optional<WeightedArithmetic> ArithmeticOf(const Scheme& scheme) {
  if (scheme.ties == Scheme::Ties::kTruncate || scheme.ties == Scheme::Ties::kFloor ||
      IsRealScheme(scheme))
    return std::nullopt;
  if (scheme.multiplier == Scheme::Multiplier::kQ15)
    return WeightedArithmetic::kFifteenBits;
  if (scheme.multiplier == Scheme::Multiplier::kQ31 &&
      scheme.steps == Scheme::Steps::kTwo)
    return WeightedArithmetic::kFixedPoint;
  return scheme.bias == Scheme::Bias::kS32 ? WeightedArithmetic::kIntegerBias
                                           : WeightedArithmetic::kIntegerSums;
}

// Every one of small codes, and a sample of those that larger ones reach.
std::vector<int32_t> Accumulators() {
  std::vector<int32_t> all;
  for (int32_t acc = -2000; acc <= 2000; ++acc) all.push_back(acc);
  for (int32_t acc = -kLargestProduct; acc <= kLargestProduct; acc += 67)
    all.push_back(acc);
  return all;
}

// In steps of the output, before the zero point is added.
Bounded InCodes(const Requantization& r, int32_t accumulator, int32_t zero_point,
                WeightedArithmetic arithmetic) {
  const Bounded real = WeightedValue(r.At(accumulator), arithmetic);
  return Add(DivideBy(real, double{r.output_scale}), Exact(zero_point));
}

TEST(WeightedBound, EverySchemeIsKeptOnEveryAccumulator) {
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();
  const std::vector<int32_t> accumulators = Accumulators();
  std::map<WeightedArithmetic, double> reached;
  int64_t outside = 0;
  int64_t sets = 0;
  int64_t of_one = 0;
  for (const Requantization& r : Requantizations()) {
    for (const Scheme& scheme : KnownSchemes()) {
      const auto arithmetic = ArithmeticOf(scheme);
      if (!arithmetic) continue;
      for (const int32_t zero_point : {0, 7}) {
        const ChannelRequantizer requantizer(scheme, r.input_scale, r.weight_scale,
                                             r.output_scale, zero_point, r.bias,
                                             std::nullopt);
        for (const int32_t acc : accumulators) {
          const Bounded bound = InCodes(r, acc, zero_point, *arithmetic);
          const AllowedCodes allowed = CodesWithin(bound, kLow, kHigh);
          const int32_t code = requantizer.Code(acc);
          if (!allowed.Holds(code) && outside++ < 3) {
            ADD_FAILURE() << SchemeName(scheme) << " m "
                          << r.input_scale * r.weight_scale / 0.1f << " acc " << acc
                          << " code " << code << " exact " << bound.value << " e "
                          << bound.error;
          }
          ++sets;
          of_one += allowed.count() == 1 ? 1 : 0;
          // How much of the error it takes to get from the exact value to this code.
          const double beyond = std::abs(code - bound.value) - 0.5;
          reached[*arithmetic] = std::max(reached[*arithmetic], beyond / bound.error);
        }
      }
    }
  }
  EXPECT_EQ(outside, 0);
  // A bound that allows anything would be kept as well.
  EXPECT_GT(of_one, sets / 2);
  EXPECT_EQ(reached.size(), 4u);
  for (const auto& [arithmetic, share] : reached) {
    std::cout << "arithmetic " << static_cast<int>(arithmetic) << " reaches " << share
              << " of its bound\n";
    EXPECT_LE(share, 1.0);
  }
  EXPECT_GT(reached[WeightedArithmetic::kIntegerSums], 0.0);
  EXPECT_GT(reached[WeightedArithmetic::kIntegerBias], 0.9);
  EXPECT_GT(reached[WeightedArithmetic::kFixedPoint], 0.5);
  EXPECT_GT(reached[WeightedArithmetic::kFifteenBits], 0.1);
}

// What a known mistake makes of the accumulators lies outside.
TEST(WeightedBound, MistakesLeaveTheSet) {
  const Requantization r{0.3f * 0.4f, 0.25f, 0.1f, std::nullopt};
  const auto set_of = [&](int32_t acc, WeightedArithmetic arithmetic) {
    return CodesWithin(InCodes(r, acc, 0, arithmetic), -1000, 1000);
  };
  int64_t truncated = 0;
  int64_t late = 0;
  for (int32_t acc = -3000; acc <= 3000; ++acc) {
    const double value = acc * 0.3;
    truncated += !set_of(acc, WeightedArithmetic::kIntegerSums)
                      .Holds(static_cast<int64_t>(std::trunc(value)));
    // A multiplier of 7 bits.
    late += !set_of(acc, WeightedArithmetic::kFixedPoint)
                 .Holds(std::lrint(acc * std::rint(0.3 * 128) / 128));
  }
  EXPECT_GT(truncated, 2000);
  EXPECT_GT(late, 500);
  // 0.3 * 8 = 2.4: in two roundings 3, in one never.
  EXPECT_TRUE(set_of(8, WeightedArithmetic::kFixedPoint).Holds(3));
  EXPECT_FALSE(set_of(8, WeightedArithmetic::kIntegerBias).Holds(3));
}

// Twelve products whose float32 sum depends on the order: each order is kept, and a bound
// for integer sums is left by some.
TEST(WeightedBound, FloatSumsAreKeptInAnyOrder) {
  const Codes x = PatternCodes(512);
  Codes w;
  for (const int32_t code : PatternCodes(512, 5)) w.push_back(code - 128);
  WeightedElement element;
  element.products = 512;
  element.product_scale = double{0.013f} * double{0.0071f};
  std::vector<float> products;
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t product = int64_t{x[i] - 100} * w[i];
    element.accumulator += product;
    element.magnitude += std::abs(product);
    products.push_back((static_cast<float>(x[i] - 100) * 0.013f) *
                       (static_cast<float>(w[i]) * 0.0071f));
  }
  const Bounded floats = WeightedValue(element, WeightedArithmetic::kFloatSums);
  const Bounded integers = WeightedValue(element, WeightedArithmetic::kIntegerSums);
  double furthest = 0;
  for (int turn = 0; turn < 512; ++turn) {
    std::rotate(products.begin(), products.begin() + 1, products.end());
    float sum = 0;
    for (const float product : products) sum += product;
    furthest = std::max(furthest, std::abs(double{sum} - floats.value));
  }
  EXPECT_LE(furthest, floats.error);
  EXPECT_GT(furthest, integers.error);
  std::cout << "float32 sums of 512 reach " << furthest / floats.error
            << " of their bound\n";
}

}  // namespace
}  // namespace qconform
