#include "reference/numerics/fake_quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/numerics/channel_layout.h"
#include "reference/numerics/fake_quantize_lanes.h"
#include "reference/numerics/fixed_chunks.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

// float -> int64 as x86 converts: NaN and what does not fit give the smallest; large
// values the largest if they are to saturate.
int64_t ToInt64(float value, bool saturate) {
  if (!(value >= -0x1p63f && value < 0x1p63f)) {
    return saturate && value > 0 ? std::numeric_limits<int64_t>::max()
                                 : std::numeric_limits<int64_t>::min();
  }
  return static_cast<int64_t>(value);
}

FakeQuantized Allocate(const Tensor& x, bool with_mask) {
  return {Tensor::Uninitialized(DType::kFloat32, x.shape()),
          with_mask ? Tensor::Uninitialized(DType::kBool, x.shape())
                    : Tensor(DType::kBool, {0})};
}

uint8_t* MaskOf(FakeQuantized& result, int64_t at) {
  return result.mask.numel() == 0 ? nullptr : result.mask.data<uint8_t>() + at;
}

// Whether every code on the way is a small integer, which the lanes ask for.
bool FitLanes(double zero_point, int64_t quant_min, int64_t quant_max) {
  const auto fits = [](double value) {
    return value > -kLargestLaneCode && value < kLargestLaneCode &&
           value == std::floor(value);
  };
  return fits(zero_point) && fits(static_cast<double>(quant_min)) &&
         fits(static_cast<double>(quant_max));
}

void QuantizeWideCodes(const float* x, int64_t n, float scale, int64_t zero_point,
                       int64_t quant_min, int64_t quant_max, float* y, uint8_t* mask) {
  const float reciprocal = ReciprocalScale(scale);
  const auto zero = static_cast<float>(zero_point);
  const auto min = static_cast<float>(quant_min);
  const auto max = static_cast<float>(quant_max);
  for (int64_t i = 0; i < n; ++i) {
    const float code = std::rint(x[i] * reciprocal) + zero;
    if (mask != nullptr) mask[i] = code >= min && code <= max;
    // Written so that NaN becomes the lower bound.
    const float clamped = code > min ? std::min(code, max) : min;
    y[i] = (clamped - zero) * scale;
  }
}

// The definition, for fractional zero points and wide codes.
void QuantizeRun(const float* x, int64_t n, float scale, double zero_point,
                 bool float_zero_points, int64_t quant_min, int64_t quant_max,
                 bool infinities_saturate, float* y, uint8_t* mask) {
  const float reciprocal = ReciprocalScale(scale);
  const auto zero = static_cast<float>(zero_point);
  for (int64_t i = 0; i < n; ++i) {
    const float scaled = x[i] * reciprocal;
    const int64_t code =
        float_zero_points
            ? ToInt64(std::rint(std::fma(x[i], reciprocal, zero)), infinities_saturate)
            : ToInt64(zero + std::rint(scaled), infinities_saturate);
    if (mask != nullptr) mask[i] = code >= quant_min && code <= quant_max;
    // In double, as torch's clamp promotes; it shows for fractional zero points.
    const auto clamped = static_cast<double>(std::clamp(code, quant_min, quant_max));
    y[i] = static_cast<float>((clamped - zero) * static_cast<double>(scale));
  }
}

}  // namespace

FakeQuantized FakeQuantizePerTensor(const Tensor& x, float scale, int64_t zero_point,
                                    int64_t quant_min, int64_t quant_max,
                                    bool with_mask) {
  FakeQuantized result = Allocate(x, with_mask);
  const float* from = x.data<float>();
  float* to = result.y.data<float>();
  const bool fits = FitLanes(static_cast<double>(zero_point), quant_min, quant_max);
  const LaneBounds bounds = {static_cast<float>(quant_min), static_cast<float>(quant_max),
                             std::numeric_limits<float>::quiet_NaN()};
  const LaneChannel channel = {scale, ReciprocalScale(scale),
                               static_cast<float>(zero_point)};
  ForEachChunk(x.numel(), [&](int64_t, int64_t begin, int64_t end) {
    uint8_t* mask = MaskOf(result, begin);
    if (fits) {
      QuantizeLanes(from + begin, end - begin, channel, bounds, to + begin, mask);
    } else {
      QuantizeWideCodes(from + begin, end - begin, scale, zero_point, quant_min,
                        quant_max, to + begin, mask);
    }
  });
  return result;
}

FakeQuantized FakeQuantizePerChannel(const Tensor& x, std::span<const double> scales,
                                     std::span<const double> zero_points,
                                     bool float_zero_points, int axis, int64_t quant_min,
                                     int64_t quant_max, bool with_mask,
                                     bool infinities_saturate) {
  // Shorter runs are taken row by row, with the parameters of every column.
  constexpr int64_t kLongRun = 64;
  FakeQuantized result = Allocate(x, with_mask);
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, scales.size());
  bool fits = !float_zero_points;
  for (const double zero : zero_points)
    fits = fits && FitLanes(zero, quant_min, quant_max);
  // A product of 2^63 or more gives the lower bound here, as NaN does.
  const LaneBounds bounds = {
      static_cast<float>(quant_min), static_cast<float>(quant_max),
      infinities_saturate ? std::numeric_limits<float>::quiet_NaN() : 0x1p63f};
  const bool by_column = fits && layout.inner < kLongRun;
  const int64_t repeat = by_column ? layout.inner : 1;
  const int64_t period = layout.channels * repeat;
  LaneColumns columns;
  for (int64_t i = 0; i < period; ++i) {
    const auto c = static_cast<size_t>(i / repeat);
    const auto scale = static_cast<float>(scales[c]);
    columns.scale.push_back(scale);
    columns.reciprocal.push_back(ReciprocalScale(scale));
    columns.zero.push_back(static_cast<float>(zero_points[c]));
  }
  const float* from = x.data<float>();
  float* to = result.y.data<float>();
  const int64_t piece = by_column ? period : layout.inner;
  ForEachChunk(x.numel(), [&](int64_t, int64_t begin, int64_t chunk_end) {
    for (int64_t end; begin < chunk_end; begin = end) {
      end = std::min(chunk_end, (begin / piece + 1) * piece);
      uint8_t* mask = MaskOf(result, begin);
      const int64_t n = end - begin;
      if (by_column) {
        QuantizeColumns(from + begin, n, columns, begin % period, bounds, to + begin,
                        mask);
        continue;
      }
      const auto c = static_cast<size_t>(begin / piece % layout.channels);
      if (fits) {
        const LaneChannel channel = {columns.scale[c], columns.reciprocal[c],
                                     columns.zero[c]};
        QuantizeLanes(from + begin, n, channel, bounds, to + begin, mask);
      } else {
        QuantizeRun(from + begin, n, columns.scale[c], zero_points[c], float_zero_points,
                    quant_min, quant_max, infinities_saturate, to + begin, mask);
      }
    }
  });
  return result;
}

}  // namespace qconform
