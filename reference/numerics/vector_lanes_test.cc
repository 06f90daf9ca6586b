// What runs on vectors against the same formula, value by value: every length around the
// vectors' and every kind of value.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/numerics/channel_layout.h"
#include "reference/numerics/fake_quantize.h"
#include "reference/numerics/quantize.h"
#include "reference/numerics/value_range.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Ties, both ends, values that overflow, and ordinary ones between.
Tensor Values(int64_t n, bool with_nan) {
  constexpr std::array kSpecial = {0.25f, -0.25f,    0.75f, -1.25f, 63.75f, -64.25f, 0.0f,
                                   -0.0f, kInfinity, 1e30f, -1e30f, 2.1e6f, -2.2e6f};
  Tensor x(DType::kFloat32, {n});
  for (int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i * 7 % 29);
    x.data<float>()[i] =
        k < kSpecial.size() ? kSpecial[k] : std::sin(static_cast<float>(i)) * 90.0f;
    if (with_nan && i % 31 == 5) x.data<float>()[i] = kNaN;
    if (i % 37 == 11) x.data<float>()[i] = -kInfinity;
  }
  return x;
}

TEST(VectorLanes, RangeEqualsAPlainLoop) {
  for (int64_t n = 1; n < 150; ++n) {
    for (const bool with_nan : {false, true}) {
      const Tensor x = Values(n, with_nan);
      float min = kInfinity;
      float max = -kInfinity;
      bool has_nan = false;
      for (int64_t i = 0; i < n; ++i) {
        const float value = x.data<float>()[i];
        has_nan = has_nan || std::isnan(value);
        min = std::fmin(min, value);
        max = std::fmax(max, value);
      }
      const ValueRange range = MinMax(x);
      if (has_nan) {
        EXPECT_TRUE(std::isnan(range.min) && std::isnan(range.max)) << n;
      } else {
        EXPECT_EQ(range.min, min) << n;
        EXPECT_EQ(range.max, max) << n;
      }
    }
  }
}

TEST(VectorLanes, RangeOfChannelsEqualsAPlainLoop) {
  for (const Shape& shape : {Shape{3, 5}, Shape{40, 33}, Shape{2, 7, 3},
                             Shape{70, 9, 2, 2}, Shape{1, 600}, Shape{3, 4, 700}}) {
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      int64_t n = 1;
      for (const int64_t dimension : shape) n *= dimension;
      const Tensor x = Values(n, true).Reshaped(shape);
      const auto channels = static_cast<size_t>(shape[static_cast<size_t>(axis)]);
      const ChannelLayout layout = ChannelLayout::Of(shape, axis, channels);
      std::vector<float> min(channels, kInfinity);
      std::vector<float> max(channels, -kInfinity);
      std::vector<bool> has_nan(channels, false);
      for (int64_t i = 0; i < n; ++i) {
        const auto c = static_cast<size_t>(i / layout.inner % layout.channels);
        const float value = x.data<float>()[i];
        has_nan[c] = has_nan[c] || std::isnan(value);
        min[c] = std::fmin(min[c], value);
        max[c] = std::fmax(max[c], value);
      }
      const ChannelRanges ranges = ChannelMinMax(x, layout);
      for (size_t c = 0; c < channels; ++c) {
        if (has_nan[c]) {
          EXPECT_TRUE(std::isnan(ranges.min[c]) && std::isnan(ranges.max[c])) << c;
        } else {
          EXPECT_EQ(ranges.min[c], min[c]) << c;
          EXPECT_EQ(ranges.max[c], max[c]) << c;
        }
      }
    }
  }
}

// fake_quantize.h's formula. An overflow gives quant_min in the operator per channel.
float Expected(float x, float scale, float zero, float min, float max, bool overflows,
               bool& passes) {
  const float scaled = x * (1.0f / scale);
  const float code = std::rint(scaled) + zero;
  const bool is_lowest = std::isnan(code) || (overflows && scaled >= 0x1p63f);
  passes = !is_lowest && code >= min && code <= max;
  return ((is_lowest ? min : std::fmin(std::fmax(code, min), max)) - zero) * scale;
}

TEST(VectorLanes, FakeQuantizeEqualsItsFormula) {
  constexpr float kScale = 0.5f;
  for (int64_t n = 1; n < 70; ++n) {
    for (const int64_t zero : {0, 3, -5, 200}) {
      const Tensor x = Values(n, true);
      const FakeQuantized whole = FakeQuantizePerTensor(x, kScale, zero, -128, 255);
      const std::array<double, 1> scales = {kScale};
      const std::array<double, 1> zeros = {static_cast<double>(zero)};
      const FakeQuantized channel =
          FakeQuantizePerChannel(x.Reshaped({1, n}), scales, zeros, false, 0, -128, 255);
      for (int64_t i = 0; i < n; ++i) {
        const float value = x.data<float>()[i];
        for (const bool overflows : {false, true}) {
          const FakeQuantized& got = overflows ? channel : whole;
          bool passes = false;
          EXPECT_EQ(got.y.data<float>()[i],
                    Expected(value, kScale, static_cast<float>(zero), -128, 255,
                             overflows, passes))
              << value << " of " << n << ", zero point " << zero;
          EXPECT_EQ(got.mask.data<uint8_t>()[i] != 0, passes) << value;
        }
      }
    }
  }
}

TEST(VectorLanes, FakeQuantizeOfColumnsTakesEachColumnsParameters) {
  constexpr int64_t kRows = 5;
  for (int64_t columns = 1; columns < 40; ++columns) {
    std::vector<double> scales;
    std::vector<double> zeros;
    for (int64_t c = 0; c < columns; ++c) {
      scales.push_back(0.25 * static_cast<double>(1 + c % 3));
      zeros.push_back(static_cast<double>(c % 7 - 3));
    }
    const Tensor x = Values(kRows * columns, true).Reshaped({kRows, columns});
    const FakeQuantized got =
        FakeQuantizePerChannel(x, scales, zeros, false, 1, -128, 127);
    for (int64_t i = 0; i < x.numel(); ++i) {
      const auto c = static_cast<size_t>(i % columns);
      bool passes = false;
      EXPECT_EQ(got.y.data<float>()[i],
                Expected(x.data<float>()[i], static_cast<float>(scales[c]),
                         static_cast<float>(zeros[c]), -128, 127, true, passes));
      EXPECT_EQ(got.mask.data<uint8_t>()[i] != 0, passes);
    }
  }
}

// A value of an infinity or NaN takes the whole chunk off the vectors: with and without.
TEST(VectorLanes, CodesDoNotDependOnTheirNeighbours) {
  for (const DType dtype : {DType::kQUInt8, DType::kQInt8}) {
    for (int64_t n = 1; n < 70; ++n) {
      const Tensor x = Values(n, true);
      const Tensor together = QuantizePerTensor(x, 0.5, 3, dtype);
      for (int64_t i = 0; i < n; ++i) {
        Tensor one(DType::kFloat32, {1});
        one.data<float>()[0] = x.data<float>()[i];
        EXPECT_EQ(together.ValueAt(i), QuantizePerTensor(one, 0.5, 3, dtype).ValueAt(0))
            << x.data<float>()[i] << " at " << i << " of " << n;
      }
    }
  }
}

}  // namespace
}  // namespace qconform
