#include "reference/numerics/quantize.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <vector>

#include "reference/ir/error.h"
#include "reference/numerics/decomposed.h"
#include "reference/numerics/fake_quantize.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Tensor Real(const std::vector<float>& values) {
  return Tensor::FromVector(DType::kFloat32, {static_cast<int64_t>(values.size())},
                            values);
}

std::vector<int64_t> Codes(const Tensor& codes) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < codes.numel(); ++i) values.push_back(codes.IntegerAt(i));
  return values;
}

// pytorch/pytorch#37188, #49779: ties round to even before the zero point is added, so an
// odd zero point does not flip them. (Requantize: requantize_test.cc.)
TEST(QuantizePerTensor, AddsTheZeroPointAfterRounding) {
  std::vector<float> x;
  for (const float steps : {0.5f, 1.5f, 2.5f, 3.5f, -0.5f, -1.5f, -2.5f, -3.5f}) {
    x.push_back(steps * 0.5f);
  }
  const std::vector<std::pair<int64_t, std::vector<int64_t>>> table = {
      {128, {128, 130, 130, 132, 128, 126, 126, 124}},
      {3, {3, 5, 5, 7, 3, 1, 1, 0}},
      {1, {1, 3, 3, 5, 1, 0, 0, 0}},
      {0, {0, 2, 2, 4, 0, 0, 0, 0}},
  };
  for (const auto& [zero_point, want] : table) {
    for (const QuantizeMode mode : {QuantizeMode::kTorch, QuantizeMode::kStrict}) {
      EXPECT_EQ(Codes(QuantizePerTensor(Real(x), 0.5, zero_point, DType::kQUInt8, mode)),
                want);
    }
    EXPECT_EQ(Codes(DecomposedQuantizePerTensor(Real(x), 0.5, zero_point, 0, 255,
                                                DType::kUInt8)),
              want);
    const Tensor y = FakeQuantizePerTensor(Real(x), 0.5f, zero_point, 0, 255).y;
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(y.data<float>()[i], static_cast<float>(want[i] - zero_point) * 0.5f);
    }
  }
}

// The rounding follows the floating-point environment, as the headers document and as
// torch's does: upward, no half is a tie. (Requantize: requantize_test.cc.)
TEST(Rounding, FollowsTheModeOfTheEnvironment) {
  // More than one vector, and a rest.
  std::vector<float> x;
  std::vector<int64_t> upward;
  for (int i = 0; i < 5; ++i) {
    x.insert(x.end(), {0.25f, 0.75f, 1.25f, 1.75f, -0.25f, -0.75f, -1.25f, -1.75f});
    upward.insert(upward.end(), {129, 130, 131, 132, 128, 127, 126, 125});
  }
  x.push_back(0.25f);
  upward.push_back(129);
  const std::vector<double> scales(x.size(), 0.5);
  const std::vector<double> zero_points(x.size(), 128);
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const Tensor codes = QuantizePerTensor(Real(x), 0.5, 128, DType::kQUInt8);
  const Tensor strict =
      QuantizePerTensor(Real(x), 0.5, 128, DType::kQUInt8, QuantizeMode::kStrict);
  const Tensor channels =
      QuantizePerChannel(Real(x), scales, zero_points, 0, DType::kQUInt8);
  const Tensor decomposed =
      DecomposedQuantizePerTensor(Real(x), 0.5, 128, 0, 255, DType::kUInt8);
  const Tensor fake = FakeQuantizePerTensor(Real(x), 0.5f, 128, 0, 255).y;
  const Tensor fake_channels =
      FakeQuantizePerChannel(Real(x), scales, zero_points, false, 0, 0, 255).y;
  ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
  for (const Tensor* tensor : {&codes, &strict, &channels, &decomposed}) {
    EXPECT_EQ(Codes(*tensor), upward);
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const float want = static_cast<float>(upward[i] - 128) * 0.5f;
    EXPECT_EQ(fake.data<float>()[i], want) << x[i];
    EXPECT_EQ(fake_channels.data<float>()[i], want) << x[i];
  }
}

// pytorch/pytorch#60077, #133557, #129127: torch adds the zero point with 32-bit
// wrap-around; strict saturates.
TEST(QuantizePerTensor, SaturatesInStrictModeAndWrapsInTorchMode) {
  const std::vector<float> x = {kInfinity, 4294967296.0f, 1e30f, -kInfinity,
                                -4294967296.0f};
  struct Row {
    DType dtype;
    int64_t zero_point;
    std::vector<int64_t> torch;
    std::vector<int64_t> strict;
  };
  const std::vector<Row> table = {
      {DType::kQUInt8, 0, {255, 255, 255, 0, 0}, {255, 255, 255, 0, 0}},
      {DType::kQUInt8, 1, {255, 255, 255, 0, 0}, {255, 255, 255, 0, 0}},
      {DType::kQUInt8, 133, {0, 0, 0, 0, 0}, {255, 255, 255, 0, 0}},
      {DType::kQInt8, 0, {127, 127, 127, -128, -128}, {127, 127, 127, -128, -128}},
      {DType::kQInt8, -5, {127, 127, 127, 127, 127}, {127, 127, 127, -128, -128}},
  };
  // The body of a vector and what is left over.
  for (const size_t length : {size_t{1}, size_t{10}, size_t{64}}) {
    for (const Row& row : table) {
      for (size_t i = 0; i < x.size(); ++i) {
        const Tensor input = Real(std::vector<float>(length, x[i]));
        EXPECT_EQ(Codes(QuantizePerTensor(input, 0.5, row.zero_point, row.dtype)),
                  std::vector<int64_t>(length, row.torch[i]));
        EXPECT_EQ(Codes(QuantizePerTensor(input, 0.5, row.zero_point, row.dtype,
                                          QuantizeMode::kStrict)),
                  std::vector<int64_t>(length, row.strict[i]));
        // Per channel torch saturates, too.
        const std::vector<double> scales(length, 0.5);
        const std::vector<double> zero_points(length,
                                              static_cast<double>(row.zero_point));
        EXPECT_EQ(Codes(QuantizePerChannel(input, scales, zero_points, 0, row.dtype)),
                  std::vector<int64_t>(length, row.strict[i]));
      }
    }
  }
}

TEST(QuantizePerTensor, GivesNaNOneDocumentedCode) {
  const Tensor x = Real({kNaN});
  EXPECT_EQ(Codes(QuantizePerTensor(x, 0.5, 3, DType::kQUInt8)), Codes(Real({255})));
  EXPECT_EQ(Codes(QuantizePerTensor(x, 0.5, 3, DType::kQUInt8, QuantizeMode::kStrict)),
            Codes(Real({0})));
  EXPECT_EQ(Codes(QuantizePerTensor(x, 0.5, 3, DType::kQInt8, QuantizeMode::kStrict)),
            Codes(Real({0})));
  EXPECT_EQ(Codes(DecomposedQuantizePerTensor(x, 0.5, 3, -128, 127, DType::kInt8)),
            Codes(Real({0})));
}

// pytorch/pytorch#129127
TEST(FakeQuantize, SaturatesFarOutsideOfTheRange) {
  const Tensor y = FakeQuantizePerTensor(Real({9.2e14f, -9.2e14f}), 1e-4f, 100, 0, 255).y;
  EXPECT_EQ(y.data<float>()[0], 155.0f * 1e-4f);
  EXPECT_EQ(y.data<float>()[1], -100.0f * 1e-4f);
}

TEST(QuantizePerTensor, RefusesWhatTorchRefuses) {
  const auto kind = [](auto&& body) {
    try {
      body();
    } catch (const PipelineError& error) {
      return error.kind();
    }
    return std::string();
  };
  const Tensor x = Real({1.0f});
  EXPECT_EQ(kind([&] { QuantizePerTensor(x, 0.1, -1, DType::kQUInt8); }), "RuntimeError");
  EXPECT_EQ(kind([&] { QuantizePerTensor(x, 0.1, 256, DType::kQUInt8); }),
            "RuntimeError");
  EXPECT_EQ(kind([&] {
              QuantizePerTensor(Tensor(DType::kFloat64, {1}), 0.1, 0, DType::kQUInt8);
            }),
            "RuntimeError");
  EXPECT_EQ(kind([&] { DecomposedQuantizePerTensor(x, 0.1, 0, -1, 255, DType::kUInt8); }),
            "AssertionError");
}

TEST(Dequantize, SubtractsAFractionInFloat) {
  Tensor codes(DType::kQUInt8, {2, 1});
  codes.data<uint8_t>()[0] = 10;
  codes.data<uint8_t>()[1] = 200;
  codes.set_quantization({{0.5, 0.25}, {2.25, 7.0}, 0});
  const Tensor real = Dequantize(codes);
  EXPECT_EQ(real.data<float>()[0], (10.0f - 2.25f) * 0.5f);
  EXPECT_EQ(real.data<float>()[1], 193.0f * 0.25f);
}

}  // namespace
}  // namespace qconform
