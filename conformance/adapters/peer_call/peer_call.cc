#include "conformance/adapters/peer_call/peer_call.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "conformance/adapters/abi_edge.h"
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

// In words what is against an operator that has no scalar definition.
std::string CheckDefined(const qc_descriptor& descriptor) {
  if (std::string reason = CheckWholeStructs(descriptor); !reason.empty()) return reason;
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  std::string reason;
  return DefinesOperator(any, &reason) ? "" : reason;
}

int64_t OrOne(int64_t value) { return value == 0 ? 1 : value; }

}  // namespace

std::string CheckPeerPool(const qc_descriptor& descriptor) {
  const std::string reason = CheckDefined(descriptor);
  if (!reason.empty()) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  if (!IsPerTensor8(x) || x.rank != 4) return "no image of u8 or s8 codes";
  if (!SameQparams(x, y)) return "a pool with other qparams behind it";
  if (descriptor.attributes->activation != QC_ACTIVATION_NONE)
    return "a fused activation";
  if (descriptor.attributes->ceil_mode != 0) return "ceil mode";
  if (descriptor.kind == QC_ADAPTIVE_AVG_POOL && (y.shape[2] != 1 || y.shape[3] != 1)) {
    return "adaptive pooling to more than one pixel";
  }
  return "";
}

std::string CheckPeerAdd(const qc_descriptor& descriptor) {
  const std::string reason = CheckDefined(descriptor);
  if (!reason.empty()) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  if (descriptor.input_count < 2 || descriptor.inputs[1] == nullptr) return "a number";
  const qc_tensor& second = *descriptor.inputs[1];
  for (const qc_tensor* tensor : {&x, &second, &y}) {
    if (!IsPerTensor8(*tensor) || tensor->dtype != x.dtype) return "unlike dtypes";
    if (ShapeOf(*tensor) != ShapeOf(x)) return "a broadcast";
  }
  if (descriptor.attributes->alpha != 1.0f) return "alpha";
  const int32_t activation = descriptor.attributes->activation;
  if (activation != QC_ACTIVATION_NONE && activation != QC_ACTIVATION_RELU) {
    return "a fused activation other than relu";
  }
  return ResultBoundsOf(descriptor).saturates ? "" : "bounds that the dtype has not";
}

PoolWindow PoolWindowOf(const qc_descriptor& descriptor) {
  const qc_attributes& attributes = *descriptor.attributes;
  PoolWindow window;
  for (int i = 0; i < 2; ++i) {
    const bool adaptive = descriptor.kind == QC_ADAPTIVE_AVG_POOL;
    window.kernel.push_back(adaptive ? descriptor.inputs[0]->shape[2 + i]
                                     : attributes.kernel[i]);
    // Torch's pools step by their kernel where nothing is said.
    window.stride.push_back(adaptive || attributes.stride[i] == 0 ? window.kernel[i]
                                                                  : attributes.stride[i]);
    window.dilation.push_back(adaptive ? 1 : OrOne(attributes.dilation[i]));
    window.before.push_back(adaptive ? 0 : attributes.padding_before[i]);
    window.after.push_back(adaptive ? 0 : attributes.padding_after[i]);
  }
  return window;
}

std::string CheckPeerCall(const qc_descriptor& descriptor) {
  if (descriptor.kind != QC_CONV && descriptor.kind != QC_LINEAR &&
      descriptor.kind != QC_MATMUL) {
    return "no such operator";
  }
  const std::string reason = CheckDefined(descriptor);
  if (!reason.empty()) return reason;
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

bool IsPool(const qc_descriptor& descriptor) {
  return descriptor.kind == QC_MAX_POOL || descriptor.kind == QC_ADAPTIVE_AVG_POOL;
}

bool IsWeighted(const qc_descriptor& descriptor) {
  return descriptor.kind == QC_CONV || descriptor.kind == QC_LINEAR;
}

uint32_t PeerMemoryFormats(const qc_descriptor& descriptor) {
  return descriptor.kind == QC_CONV || IsPool(descriptor) ? QC_CHANNELS_LAST
                                                          : QC_CONTIGUOUS;
}

std::string CheckPeerConstants(const qc_descriptor& descriptor,
                               const qc_tensor* const* constants) {
  const bool missing = constants == nullptr || constants[1] == nullptr ||
                       (BiasOf(descriptor) != nullptr && constants[2] == nullptr);
  return IsWeighted(descriptor) && missing ? "the weight and the bias must be constants"
                                           : "";
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

std::string CheckUnforced(const std::string& peer, const std::string& path) {
  const char* const forced = std::getenv("QCONFORM_ISA");
  if (forced == nullptr || *forced == '\0' || forced == path || forced == FastestPath())
    return "";
  return peer + " runs " + path + " here, and cannot be held to " + forced;
}

}  // namespace qconform
