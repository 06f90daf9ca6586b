#include "kernels/requantize/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace qconform::kernels {
namespace {

// rint, saturated to 32 bits.
int32_t RoundToInt32(float value) {
  const double rounded = std::nearbyint(static_cast<double>(value));
  if (rounded >= std::numeric_limits<int32_t>::max()) {
    return std::numeric_limits<int32_t>::max();
  }
  if (rounded <= std::numeric_limits<int32_t>::min()) {
    return std::numeric_limits<int32_t>::min();
  }
  return static_cast<int32_t>(rounded);
}

// The code of a real bound: clamp(rint(bound * (1/scale)) + zero_point), not yet
// restricted to the tensor's range.
double CodeOfBound(float bound, float scale, int32_t zero_point) {
  const float inverse = 1.0f / scale;
  return std::nearbyint(static_cast<double>(bound * inverse)) + zero_point;
}

float BiasF32(const qc_tensor& bias, int64_t i) {
  const char* at = static_cast<const char*>(bias.data) + i * bias.stride[0];
  if (bias.dtype == QC_S32) {
    int32_t code;
    std::memcpy(&code, at, sizeof code);
    return static_cast<float>(code);
  }
  float value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

int32_t BiasS32(const qc_tensor& bias, int64_t i) {
  int32_t code;
  std::memcpy(&code, static_cast<const char*>(bias.data) + i * bias.stride[0],
              sizeof code);
  return code;
}

}  // namespace

void CodeRange(const qc_tensor& tensor, int32_t& lowest, int32_t& highest) {
  lowest = tensor.dtype == QC_S8 ? -128 : 0;
  highest = tensor.dtype == QC_S8 ? 127 : 255;
  if (tensor.quant_min != tensor.quant_max) {
    lowest = std::max(lowest, tensor.quant_min);
    highest = std::min(highest, tensor.quant_max);
  }
}

int32_t ZeroPoint(const qc_tensor& tensor, int64_t channel) {
  if (tensor.zero_point == nullptr) return 0;
  return tensor.zero_point[tensor.quantized_axis < 0 ? 0 : channel];
}

float Scale(const qc_tensor& tensor, int64_t channel) {
  return tensor.scale[tensor.quantized_axis < 0 ? 0 : channel];
}

bool ComputeRequantizeParameters(const qc_tensor& x, const qc_tensor& w,
                                 const qc_tensor* bias, const qc_tensor& y,
                                 const qc_attributes& attributes, bool bias_s32,
                                 RequantizeParameters& parameters, std::string& reason) {
  const int64_t channels = w.shape[0];
  const float output_scale = Scale(y, 0);
  parameters.zero_point = ZeroPoint(y, 0);
  parameters.start.assign(channels, 0);
  parameters.bias.assign(channels, 0.0f);
  parameters.multiplier.assign(channels, 0.0f);
  for (int64_t o = 0; o < channels; ++o) {
    const float product = Scale(x, 0) * Scale(w, o);
    parameters.multiplier[o] = product / output_scale;
    if (bias != nullptr) {
      const bool codes = bias->dtype == QC_S32;
      const float term = codes ? BiasF32(*bias, o) : BiasF32(*bias, o) / product;
      if (bias_s32) {
        parameters.start[o] = codes ? BiasS32(*bias, o) : RoundToInt32(term);
      } else {
        parameters.bias[o] = term;
      }
      if (!std::isfinite(term)) {
        reason = "bias divided by the product of scales is not finite in channel " +
                 std::to_string(o);
        return false;
      }
    }
    if (!std::isfinite(parameters.multiplier[o])) {
      reason = "the quotient of scales is not finite in channel " + std::to_string(o);
      return false;
    }
  }

  int32_t lowest, highest;
  CodeRange(y, lowest, highest);
  double low = lowest, high = highest;
  const auto raise = [&](float bound) {
    low = std::max(low, CodeOfBound(bound, output_scale, parameters.zero_point));
  };
  const auto cut = [&](float bound) {
    high = std::min(high, CodeOfBound(bound, output_scale, parameters.zero_point));
  };
  switch (attributes.activation) {
    case QC_ACTIVATION_RELU:
      raise(0.0f);
      break;
    case QC_ACTIVATION_RELU6:
      raise(0.0f);
      cut(6.0f);
      break;
    case QC_ACTIVATION_CLAMP:
      raise(attributes.activation_min);
      cut(attributes.activation_max);
      break;
    default:
      break;
  }
  // Bounds that fall outside the range of codes saturate to it.
  low = std::min(low, static_cast<double>(highest));
  high = std::max(high, static_cast<double>(lowest));
  parameters.lower = static_cast<float>(low - parameters.zero_point);
  parameters.upper = static_cast<float>(high - parameters.zero_point);
  if (y.dtype == QC_S8) {
    parameters.zero_point += 128;
    parameters.flip = 0x80;
  }
  return true;
}

}  // namespace qconform::kernels
