#include "conformance/adapters/peer_call/peer_call.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/requantize.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {
namespace {

bool IsPerTensor8(const qc_tensor& tensor) {
  return IsCode8(tensor) && tensor.quantized_axis < 0;
}

std::string CheckWeighted(const qc_descriptor& descriptor) {
  const qc_attributes& attributes = *descriptor.attributes;
  const qc_tensor& weight = *descriptor.inputs[1];
  if (ElementCount(weight) == 0 && weight.shape[0] != 0) return "sums of no product";
  if (!IsCode8(weight) || weight.dtype != QC_S8) return "the weight is not s8";
  for (int64_t i = 0; weight.zero_point != nullptr && i < weight.qparam_count; ++i) {
    if (weight.zero_point[i] != 0) return "a zero point of the weight is not 0";
  }
  if (weight.quantized_axis > 0) return "the weight has scales of another axis than 0";
  if (attributes.residual != 0) return "a residual";
  if (attributes.dynamic != 0) return "a dynamic input";
  if (attributes.padding_mode != QC_PADDING_ZEROS) return "padding other than zeros";
  return "";
}

}  // namespace

std::string CheckPeerCall(const qc_descriptor& descriptor) {
  if (descriptor.kind != QC_CONV && descriptor.kind != QC_LINEAR &&
      descriptor.kind != QC_MATMUL) {
    return "neither CONV nor LINEAR nor MATMUL";
  }
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  std::string reason;
  if (!DefinesOperator(any, &reason)) return reason;
  if (!IsPerTensor8(*descriptor.inputs[0])) return "the input is neither u8 nor s8";
  if (!IsPerTensor8(*descriptor.outputs[0])) return "the output is neither u8 nor s8";
  const int32_t activation = descriptor.attributes->activation;
  if (activation != QC_ACTIVATION_NONE && activation != QC_ACTIVATION_RELU &&
      activation != QC_ACTIVATION_RELU6) {
    return "a fused activation other than relu and relu6";
  }
  if (descriptor.kind == QC_MATMUL) {
    return IsPerTensor8(*descriptor.inputs[1]) ? "" : "b is neither u8 nor s8";
  }
  return CheckWeighted(descriptor);
}

std::vector<float> OutputMultipliers(const qc_descriptor& descriptor) {
  const qc_tensor& weight = *descriptor.inputs[1];
  const float input = ScaleAt(*descriptor.inputs[0]);
  const float output = ScaleAt(*descriptor.outputs[0]);
  const int64_t count = weight.quantized_axis < 0 ? 1 : weight.qparam_count;
  std::vector<float> multipliers;
  for (int64_t o = 0; o < count; ++o) {
    multipliers.push_back(input * ScaleAt(weight, o) / output);
  }
  return multipliers;
}

const qc_tensor* BiasOf(const qc_descriptor& descriptor) {
  const bool weighted = descriptor.kind == QC_CONV || descriptor.kind == QC_LINEAR;
  return weighted && descriptor.input_count > 2 ? descriptor.inputs[2] : nullptr;
}

std::vector<float> BiasInCodes(const qc_descriptor& descriptor, const qc_tensor& bias) {
  const std::vector<float> multipliers = OutputMultipliers(descriptor);
  const float output = ScaleAt(*descriptor.outputs[0]);
  std::vector<float> codes;
  for (int64_t o = 0; o < bias.shape[0]; ++o) {
    const float multiplier = multipliers[multipliers.size() == 1 ? 0 : o];
    codes.push_back(bias.dtype == QC_S32
                        ? static_cast<float>(static_cast<const int32_t*>(bias.data)[o]) *
                              multiplier
                        : static_cast<const float*>(bias.data)[o] / output);
  }
  return codes;
}

std::vector<int32_t> BiasInProducts(const qc_descriptor& descriptor,
                                    const qc_tensor& bias) {
  const qc_tensor& weight = *descriptor.inputs[1];
  const float input = ScaleAt(*descriptor.inputs[0]);
  std::vector<int32_t> codes;
  for (int64_t o = 0; o < bias.shape[0]; ++o) {
    const float scale = ScaleAt(weight, weight.quantized_axis < 0 ? 0 : o);
    codes.push_back(
        bias.dtype == QC_S32
            ? static_cast<const int32_t*>(bias.data)[o]
            : RoundToInt32(static_cast<const float*>(bias.data)[o] / (input * scale)));
  }
  return codes;
}

ResultBounds ResultBoundsOf(const qc_descriptor& descriptor) {
  const qc_tensor& output = *descriptor.outputs[0];
  const CodeBounds bounds = BoundsOf(output);
  const auto zero_point = static_cast<float>(ZeroPointAt(output));
  const float least = output.dtype == QC_U8 ? 0.0f : -128.0f;
  ResultBounds result{static_cast<float>(bounds.min) - zero_point,
                      static_cast<float>(bounds.max) - zero_point, false};
  const int32_t activation = descriptor.attributes->activation;
  if (activation != QC_ACTIVATION_NONE) result.lower = std::max(result.lower, 0.0f);
  if (activation == QC_ACTIVATION_RELU6) {
    result.upper = std::min(result.upper, std::nearbyint(6.0f / ScaleAt(output)));
  }
  result.saturates =
      result.lower + zero_point <= least && result.upper + zero_point >= least + 255.0f;
  return result;
}

bool HasNoElements(const qc_descriptor& descriptor) {
  return ElementCount(*descriptor.outputs[0]) == 0;
}

std::string FastestPath() {
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw")) {
    return "avx512vnni";
  }
  if (__builtin_cpu_supports("avx512bw")) return "avx512";
  if (__builtin_cpu_supports("avx2")) return "avx2";
  return __builtin_cpu_supports("sse4.1") ? "sse41" : "";
}

}  // namespace qconform
