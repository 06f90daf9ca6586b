#include "kernels/requantize/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

// rint, saturated to 32 bits.
int32_t RoundToInt32(float value) {
  const double rounded = std::rint(static_cast<double>(value));
  if (std::isnan(rounded)) return 0;
  if (rounded >= std::numeric_limits<int32_t>::max()) {
    return std::numeric_limits<int32_t>::max();
  }
  if (rounded <= std::numeric_limits<int32_t>::min()) {
    return std::numeric_limits<int32_t>::min();
  }
  return static_cast<int32_t>(rounded);
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

// A bias that is not finite under a product of scales of zero makes every result NaN,
// whose code is 0 (before the clamp). The kernels know no NaN; this constant gives the
// same code: (accumulator + bias) * multiplier is -zero_point within a part in 2^22.
void AlwaysCodeZero(RequantizeParameters& parameters, int64_t channel) {
  constexpr float kHuge = 1e30f;  // swallows every accumulator
  parameters.bias[channel] = kHuge;
  parameters.multiplier[channel] = -static_cast<float>(parameters.zero_point) / kHuge;
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
    }
    if (std::isnan(parameters.bias[o] * parameters.multiplier[o])) {
      AlwaysCodeZero(parameters, o);
    }
    if (!std::isfinite(parameters.multiplier[o])) {
      reason = "the quotient of scales is not finite in channel " + std::to_string(o);
      return false;
    }
  }

  int32_t lowest, highest;
  CodeRange(y, lowest, highest);
  const auto code_of = [&](float bound) {
    return QuantizeSaturating(bound, ReciprocalScale(output_scale), parameters.zero_point,
                              lowest, highest);
  };
  int32_t low = lowest, high = highest;
  switch (attributes.activation) {
    case QC_ACTIVATION_RELU:
      low = code_of(0.0f);
      break;
    case QC_ACTIVATION_RELU6:
      low = code_of(0.0f);
      high = code_of(6.0f);
      break;
    case QC_ACTIVATION_CLAMP:
      low = code_of(attributes.activation_min);
      high = code_of(attributes.activation_max);
      break;
    default:
      break;
  }
  parameters.lower = static_cast<float>(low - parameters.zero_point);
  parameters.upper = static_cast<float>(high - parameters.zero_point);
  if (y.dtype == QC_S8) {
    parameters.zero_point += 128;
    parameters.flip = 0x80;
  }
  return true;
}

}  // namespace qconform::kernels
