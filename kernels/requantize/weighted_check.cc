#include "kernels/requantize/weighted_check.h"

#include <cmath>

#include "kernels/requantize/parameters.h"

namespace qconform::kernels {
namespace {

// Each check answers with the first thing that is wrong, or with nothing.
using Objection = std::string;

bool IsCode(const qc_tensor& tensor) {
  return tensor.dtype == QC_U8 || tensor.dtype == QC_S8;
}

Objection CheckShape(const qc_tensor& tensor, const std::string& name) {
  if (tensor.rank < 0 || tensor.rank > QC_MAX_RANK)
    return name + " has a rank out of range";
  for (int i = 0; i < tensor.rank; ++i) {
    if (tensor.shape[i] < 0) return name + " has a negative size";
  }
  return "";
}

Objection CheckScales(const qc_tensor& tensor, const std::string& name) {
  if (tensor.scale == nullptr && tensor.qparam_count > 0) return name + " has no scale";
  if (tensor.zero_point_f32 != nullptr) return name + " has a float zero point";
  for (int64_t i = 0; i < tensor.qparam_count; ++i) {
    if (!std::isfinite(tensor.scale[i]) || tensor.scale[i] <= 0) {
      return name + " has a scale that is not finite and positive";
    }
    const int32_t zero_point = tensor.zero_point == nullptr ? 0 : tensor.zero_point[i];
    const int32_t lowest = tensor.dtype == QC_S8 ? -128 : 0;
    if (zero_point < lowest || zero_point > lowest + 255) {
      return name + " has a zero point outside its dtype";
    }
  }
  return "";
}

Objection CheckActivation(const qc_tensor& tensor, const std::string& name) {
  Objection objection = CheckShape(tensor, name);
  if (!objection.empty()) return objection;
  if (!IsCode(tensor)) return name + " is neither u8 nor s8";
  if (tensor.quantized_axis != -1 || tensor.qparam_count != 1) {
    return name + " is not quantized per tensor";
  }
  return CheckScales(tensor, name);
}

Objection CheckWeight(const qc_tensor& tensor) {
  Objection objection = CheckShape(tensor, "the weight");
  if (!objection.empty()) return objection;
  if (tensor.dtype != QC_S8) return "the weight is not s8";
  if (tensor.rank < 2) return "the weight has less than two dimensions";
  const bool per_tensor = tensor.quantized_axis == -1 && tensor.qparam_count == 1;
  const bool per_channel =
      tensor.quantized_axis == 0 && tensor.qparam_count == tensor.shape[0];
  if (!per_tensor && !per_channel) {
    return "the weight is quantized neither per tensor nor per output channel";
  }
  return CheckScales(tensor, "the weight");
}

Objection CheckBias(const qc_tensor& tensor, int64_t channels) {
  Objection objection = CheckShape(tensor, "the bias");
  if (!objection.empty()) return objection;
  if (tensor.dtype != QC_F32 && tensor.dtype != QC_S32)
    return "the bias is neither f32 nor s32";
  if (tensor.rank != 1 || tensor.shape[0] != channels) {
    return "the bias has another shape than [output channels]";
  }
  return "";
}

Objection CheckFused(const qc_attributes& a) {
  if (a.residual != 0) return "no kernel adds a residual";
  if (a.dynamic != 0) return "no kernel quantizes its input at run time";
  if (a.activation < QC_ACTIVATION_NONE || a.activation > QC_ACTIVATION_CLAMP) {
    return "only relu, relu6 and clamp can be fused";
  }
  return "";
}

Objection CheckOperands(const qc_descriptor& descriptor) {
  if (descriptor.input_count < 2 || descriptor.inputs[1] == nullptr) {
    return "the weight is missing";
  }
  if (descriptor.output_count != 1) return "one output is expected";
  for (int i = 3; i < descriptor.input_count; ++i) {
    if (descriptor.inputs[i] != nullptr) return "no kernel adds a residual";
  }
  return "";
}

Objection ChooseScheme(const qc_descriptor& descriptor, const qc_tensor* bias,
                       std::string& scheme) {
  if (descriptor.scheme == nullptr || *descriptor.scheme == '\0') {
    scheme = bias != nullptr && bias->dtype == QC_S32 ? kBiasS32Scheme : kBiasF32Scheme;
    return "";
  }
  scheme = descriptor.scheme;
  if (scheme == kBiasF32Scheme || scheme == kBiasS32Scheme) return "";
  return "schemes are " + std::string(kBiasF32Scheme) + " and " + kBiasS32Scheme;
}

}  // namespace

std::string CheckWeighted(const qc_descriptor& descriptor, std::string& scheme) {
  Objection objection = CheckOperands(descriptor);
  if (objection.empty()) objection = CheckFused(*descriptor.attributes);
  if (objection.empty()) objection = CheckActivation(*descriptor.inputs[0], "the input");
  if (objection.empty())
    objection = CheckActivation(*descriptor.outputs[0], "the output");
  if (objection.empty()) objection = CheckWeight(*descriptor.inputs[1]);
  if (!objection.empty()) return objection;
  const qc_tensor* bias = descriptor.input_count > 2 ? descriptor.inputs[2] : nullptr;
  if (bias != nullptr) objection = CheckBias(*bias, descriptor.inputs[1]->shape[0]);
  if (objection.empty()) objection = ChooseScheme(descriptor, bias, scheme);
  return objection;
}

}  // namespace qconform::kernels
