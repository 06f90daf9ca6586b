#include "reference/numerics/fake_quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numerics/channel_layout.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

// float -> int64 as x86 converts: NaN and what does not fit give the smallest.
int64_t ToInt64(float value) {
  if (!(value >= -0x1p63f && value < 0x1p63f)) {
    return std::numeric_limits<int64_t>::min();
  }
  return static_cast<int64_t>(value);
}

}  // namespace

FakeQuantized FakeQuantizePerTensor(const Tensor& x, float scale, int64_t zero_point,
                                    int64_t quant_min, int64_t quant_max) {
  FakeQuantized result{Tensor(DType::kFloat32, x.shape()),
                       Tensor(DType::kBool, x.shape())};
  const float reciprocal = ReciprocalScale(scale);
  const auto zero = static_cast<float>(zero_point);
  const auto min = static_cast<float>(quant_min);
  const auto max = static_cast<float>(quant_max);
  const float* from = x.data<float>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float code = std::rint(from[i] * reciprocal) + zero;
    result.mask.data<uint8_t>()[i] = code >= min && code <= max;
    // Written so that NaN becomes the lower bound.
    const float clamped = code > min ? std::min(code, max) : min;
    result.y.data<float>()[i] = (clamped - zero) * scale;
  }
  return result;
}

FakeQuantized FakeQuantizePerChannel(const Tensor& x, std::span<const double> scales,
                                     std::span<const double> zero_points,
                                     bool float_zero_points, int axis, int64_t quant_min,
                                     int64_t quant_max) {
  FakeQuantized result{Tensor(DType::kFloat32, x.shape()),
                       Tensor(DType::kBool, x.shape())};
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, scales.size());
  const float* from = x.data<float>();
  layout.ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
    const auto c = static_cast<size_t>(channel);
    const auto scale = static_cast<float>(scales[c]);
    const float reciprocal = ReciprocalScale(scale);
    const auto zero = static_cast<float>(zero_points[c]);
    for (int64_t i = begin; i < end; ++i) {
      const float scaled = from[i] * reciprocal;
      const int64_t code = float_zero_points
                               ? ToInt64(std::rint(std::fma(from[i], reciprocal, zero)))
                               : ToInt64(zero + std::rint(scaled));
      result.mask.data<uint8_t>()[i] = code >= quant_min && code <= quant_max;
      // In double, as torch's clamp promotes; it shows for fractional zero points.
      const auto clamped = static_cast<double>(std::clamp(code, quant_min, quant_max));
      result.y.data<float>()[i] =
          static_cast<float>((clamped - zero) * static_cast<double>(scale));
    }
  });
  return result;
}

}  // namespace qconform
