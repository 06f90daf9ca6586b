#include "reference/numerics/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "reference/ir/error.h"
#include "reference/numerics/channel_layout.h"
#include "reference/numerics/code_type.h"
#include "reference/numerics/fixed_chunks.h"
#include "reference/numerics/quantize_lanes.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

void RequireFloat32(const Tensor& x) {
  if (x.dtype() == DType::kFloat32) return;
  throw PipelineError("RuntimeError", "quantize works on float32 tensors only, got " +
                                          std::string(DTypeName(x.dtype())));
}

// torch's qint32 kernel is not vectorized: NaN becomes the smallest code.
int32_t QuantizeWide(float x, float reciprocal, int32_t zero_point) {
  if (std::isnan(x * reciprocal)) return std::numeric_limits<int32_t>::min();
  return QuantizeSaturating(x, reciprocal, zero_point,
                            std::numeric_limits<int32_t>::min(),
                            std::numeric_limits<int32_t>::max());
}

int32_t QuantizeOne(float x, float reciprocal, int32_t zero_point, IntegerRange range,
                    bool wide, bool as_torch) {
  if (as_torch && wide) return QuantizeWide(x, reciprocal, zero_point);
  const auto min = static_cast<int32_t>(range.min);
  const auto max = static_cast<int32_t>(range.max);
  return as_torch ? QuantizeAsTorch(x, reciprocal, zero_point, min, max)
                  : QuantizeSaturating(x, reciprocal, zero_point, min, max);
}

// The codes of values that share their parameters.
template <typename T>
void QuantizeRun(const float* from, int64_t n, float reciprocal, int32_t zero_point,
                 IntegerRange range, bool as_torch, T* to) {
  // So few that an extraordinary value among them costs little.
  constexpr int64_t kBlock = 1024;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = std::min(n, begin + kBlock);
    if constexpr (sizeof(T) == 1) {
      const ByteQuantization bytes = {reciprocal, zero_point,
                                      static_cast<int32_t>(range.min),
                                      static_cast<int32_t>(range.max)};
      if (QuantizeOrdinaryBytes(from + begin, end - begin, bytes,
                                reinterpret_cast<uint8_t*>(to + begin))) {
        continue;
      }
    }
    for (int64_t i = begin; i < end; ++i) {
      to[i] = static_cast<T>(
          QuantizeOne(from[i], reciprocal, zero_point, range, sizeof(T) == 4, as_torch));
    }
  }
}

// rint to 64 bits (what does not fit becomes -2^63, as on x86), of which the low 32
// are kept and clamped.
int32_t RoundToLowBits(float value, int32_t min, int32_t max) {
  const bool fits = value >= -0x1p63f && value < 0x1p63f;
  const int64_t wide = fits ? static_cast<int64_t>(std::rint(value)) : 0;
  return std::clamp(static_cast<int32_t>(wide), min, max);
}

QuantizationParameters PerChannelParameters(std::span<const double> scales,
                                            std::span<const double> zero_points,
                                            int axis) {
  return {{scales.begin(), scales.end()}, {zero_points.begin(), zero_points.end()}, axis};
}

const QuantizationParameters& RequireParameters(const Tensor& codes) {
  if (!codes.quantization()) {
    throw PipelineError("RuntimeError", "dequantize of a tensor without a scale");
  }
  return *codes.quantization();
}

}  // namespace

Tensor QuantizePerTensor(const Tensor& x, double scale, int64_t zero_point, DType dtype,
                         QuantizeMode mode) {
  RequireFloat32(x);
  const IntegerRange range = CodeRange(dtype);
  if (zero_point < range.min || zero_point > range.max) {
    throw PipelineError("RuntimeError", "zero_point " + std::to_string(zero_point) +
                                            " lies outside of " +
                                            std::string(DTypeName(dtype)));
  }
  Tensor codes = Tensor::Uninitialized(dtype, x.shape());
  codes.set_quantization({{scale}, {static_cast<double>(zero_point)}, -1});
  const float reciprocal = ReciprocalScale(static_cast<float>(scale));
  WithCodeType(dtype, [&]<typename T>(T) {
    const float* from = x.data<float>();
    T* to = codes.data<T>();
    ForEachChunk(x.numel(), [&](int64_t, int64_t begin, int64_t end) {
      QuantizeRun(from + begin, end - begin, reciprocal, static_cast<int32_t>(zero_point),
                  range, mode == QuantizeMode::kTorch, to + begin);
    });
  });
  return codes;
}

Tensor QuantizePerChannel(const Tensor& x, std::span<const double> scales,
                          std::span<const double> zero_points, int axis, DType dtype) {
  RequireFloat32(x);
  const IntegerRange range = CodeRange(dtype);
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, scales.size());
  Tensor codes = Tensor::Uninitialized(dtype, x.shape());
  codes.set_quantization(PerChannelParameters(scales, zero_points, axis));
  WithCodeType(dtype, [&]<typename T>(T) {
    const float* from = x.data<float>();
    T* to = codes.data<T>();
    const int64_t runs = layout.outer * layout.channels;
    ForEachIndex(runs, x.numel(), [&](int64_t run) {
      const auto c = static_cast<size_t>(run % layout.channels);
      QuantizeRun(from + run * layout.inner, layout.inner,
                  ReciprocalScale(static_cast<float>(scales[c])),
                  static_cast<int32_t>(zero_points[c]), range, sizeof(T) == 4,
                  to + run * layout.inner);
    });
  });
  return codes;
}

Tensor QuantizePerChannelFloatQparams(const Tensor& x, std::span<const double> scales,
                                      std::span<const double> zero_points, int axis,
                                      DType dtype, QuantizeMode mode) {
  RequireFloat32(x);
  const auto min = static_cast<int32_t>(CodeRange(dtype).min);
  const auto max = static_cast<int32_t>(CodeRange(dtype).max);
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, scales.size());
  Tensor codes(dtype, x.shape());
  codes.set_quantization(PerChannelParameters(scales, zero_points, axis));
  WithCodeType(dtype, [&]<typename T>(T) {
    const float* from = x.data<float>();
    T* to = codes.data<T>();
    layout.ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
      const auto c = static_cast<size_t>(channel);
      const float reciprocal = ReciprocalScale(static_cast<float>(scales[c]));
      const auto zero_point = static_cast<float>(zero_points[c]);
      for (int64_t i = begin; i < end; ++i) {
        const float value = from[i] * reciprocal + zero_point;
        to[i] = static_cast<T>(mode == QuantizeMode::kTorch
                                   ? RoundToLowBits(value, min, max)
                                   : QuantizeSaturating(value, 1.0f, 0, min, max));
      }
    });
  });
  return codes;
}

Tensor Dequantize(const Tensor& codes) {
  const QuantizationParameters& parameters = RequireParameters(codes);
  Tensor real(DType::kFloat32, codes.shape());
  WithCodeType(codes.dtype(), [&]<typename T>(T) {
    const T* from = codes.data<T>();
    float* to = real.data<float>();
    const auto dequantize = [&](size_t c, int64_t begin, int64_t end) {
      const auto scale = static_cast<float>(parameters.scale[c]);
      const double zero_point = parameters.zero_point[c];
      const auto integer = static_cast<int64_t>(zero_point);
      if (static_cast<double>(integer) != zero_point) {
        const auto fraction = static_cast<float>(zero_point);
        for (int64_t i = begin; i < end; ++i) {
          to[i] = (static_cast<float>(from[i]) - fraction) * scale;
        }
        return;
      }
      for (int64_t i = begin; i < end; ++i) {
        to[i] = DequantizeValue(from[i], integer, scale);
      }
    };
    if (parameters.axis < 0) return dequantize(0, 0, codes.numel());
    ChannelLayout::Of(codes.shape(), parameters.axis, parameters.scale.size())
        .ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
          dequantize(static_cast<size_t>(channel), begin, end);
        });
  });
  return real;
}

}  // namespace qconform
