#include "reference/numerics/decomposed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "reference/ir/error.h"
#include "reference/ir/half.h"
#include "reference/numerics/channel_layout.h"
#include "reference/numerics/code_type.h"
#include "reference/numerics/float32_values.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

// What torch computes, all in float32. A value outside of 32 bits after the clamp
// (only possible for int32, whose upper bound rounds up to 2^31) becomes the
// smallest code, as on x86; NaN becomes 0 in the narrow dtypes.
int32_t QuantizeInFloat(float x, float reciprocal, float zero_point, float min, float max,
                        bool wide) {
  const float code = std::min(std::max(std::rint(x * reciprocal) + zero_point, min), max);
  if (std::isnan(x * reciprocal) || code >= 2147483648.0f || code < -2147483648.0f) {
    return wide ? std::numeric_limits<int32_t>::min() : 0;
  }
  return static_cast<int32_t>(code);
}

Tensor RequireInput(const Tensor& x) {
  if (x.dtype() != DType::kFloat32 && x.dtype() != DType::kFloat16 &&
      x.dtype() != DType::kBFloat16) {
    throw PipelineError(
        "AssertionError",
        "input of dtype " + std::string(DTypeName(x.dtype())) + ", expected float32");
  }
  return AsFloat32(x);
}

void RequireBounds(int64_t quant_min, int64_t quant_max, DType dtype) {
  const IntegerRange range = CodeRange(dtype);
  if (quant_min < range.min || quant_max > range.max) {
    throw PipelineError("AssertionError",
                        "quant_min " + std::to_string(quant_min) + " or quant_max " +
                            std::to_string(quant_max) + " lies outside of " +
                            std::string(DTypeName(dtype)));
  }
}

Tensor Rounded(Tensor real, DType out_dtype) {
  if (out_dtype == DType::kFloat32) return real;
  if (out_dtype != DType::kFloat16 && out_dtype != DType::kBFloat16) {
    throw PipelineError("RuntimeError",
                        "dequantize to dtype " + std::string(DTypeName(out_dtype)));
  }
  Tensor rounded(out_dtype, real.shape());
  for (int64_t i = 0; i < real.numel(); ++i) {
    const float value = real.data<float>()[i];
    rounded.data<uint16_t>()[i] =
        out_dtype == DType::kFloat16 ? FloatToHalf(value) : FloatToBFloat16(value);
  }
  return rounded;
}

}  // namespace

Tensor DecomposedQuantizePerTensor(const Tensor& x, double scale, int64_t zero_point,
                                   int64_t quant_min, int64_t quant_max, DType dtype) {
  const Tensor real = RequireInput(x);
  RequireBounds(quant_min, quant_max, dtype);
  const auto reciprocal = static_cast<float>(1.0 / scale);
  const bool wide = ItemSize(dtype) == 4;
  Tensor codes(dtype, x.shape());
  WithCodeType(dtype, [&]<typename T>(T) {
    const float* from = real.data<float>();
    T* to = codes.data<T>();
    for (int64_t i = 0; i < real.numel(); ++i) {
      to[i] = static_cast<T>(QuantizeInFloat(
          from[i], reciprocal, static_cast<float>(zero_point),
          static_cast<float>(quant_min), static_cast<float>(quant_max), wide));
    }
  });
  return codes;
}

Tensor DecomposedDequantizePerTensor(const Tensor& codes, double scale,
                                     int64_t zero_point, int64_t /*quant_min*/,
                                     int64_t /*quant_max*/, DType out_dtype) {
  Tensor real(DType::kFloat32, codes.shape());
  const auto factor = static_cast<float>(scale);
  WithCodeType(codes.dtype(), [&]<typename T>(T) {
    const T* from = codes.data<T>();
    float* to = real.data<float>();
    // The code is converted first, as torch does: it shows for 32-bit codes only.
    for (int64_t i = 0; i < codes.numel(); ++i) {
      to[i] = (static_cast<float>(from[i]) - static_cast<float>(zero_point)) * factor;
    }
  });
  return Rounded(std::move(real), out_dtype);
}

Tensor DecomposedQuantizePerChannel(const Tensor& x, std::span<const double> scales,
                                    std::span<const double> zero_points, int axis,
                                    int64_t quant_min, int64_t quant_max, DType dtype) {
  const Tensor real = RequireInput(x);
  RequireBounds(quant_min, quant_max, dtype);
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, scales.size());
  const bool wide = ItemSize(dtype) == 4;
  Tensor codes(dtype, x.shape());
  WithCodeType(dtype, [&]<typename T>(T) {
    const float* from = real.data<float>();
    T* to = codes.data<T>();
    layout.ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
      const auto c = static_cast<size_t>(channel);
      const float reciprocal = ReciprocalScale(static_cast<float>(scales[c]));
      for (int64_t i = begin; i < end; ++i) {
        to[i] = static_cast<T>(QuantizeInFloat(
            from[i], reciprocal, static_cast<float>(zero_points[c]),
            static_cast<float>(quant_min), static_cast<float>(quant_max), wide));
      }
    });
  });
  return codes;
}

Tensor DecomposedDequantizePerChannel(const Tensor& codes, std::span<const double> scales,
                                      std::span<const double> zero_points, int axis,
                                      int64_t quant_min, int64_t quant_max,
                                      DType out_dtype) {
  RequireBounds(quant_min, quant_max, codes.dtype());
  const ChannelLayout layout = ChannelLayout::Of(codes.shape(), axis, scales.size());
  Tensor real(DType::kFloat32, codes.shape());
  WithCodeType(codes.dtype(), [&]<typename T>(T) {
    const T* from = codes.data<T>();
    float* to = real.data<float>();
    layout.ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
      const auto c = static_cast<size_t>(channel);
      const auto scale = static_cast<float>(scales[c]);
      const auto whole = static_cast<int64_t>(zero_points[c]);
      if (static_cast<double>(whole) != zero_points[c]) {
        // Zero points of float qparams are subtracted in float32.
        const auto zero_point = static_cast<float>(zero_points[c]);
        for (int64_t i = begin; i < end; ++i) {
          to[i] = (static_cast<float>(from[i]) - zero_point) * scale;
        }
        return;
      }
      for (int64_t i = begin; i < end; ++i)
        to[i] = DequantizeValue(from[i], whole, scale);
    });
  });
  return Rounded(std::move(real), out_dtype);
}

}  // namespace qconform
