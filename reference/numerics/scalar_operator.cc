#include "reference/numerics/scalar_operator.h"

#include <algorithm>
#include <cstring>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_call.h"

namespace qconform {
namespace {

const OperatorFamily* FindFamily(int32_t kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
      return &ConvolutionFamily();
    case QC_LINEAR:
      return &LinearFamily();
    case QC_MATMUL:
      return &MatmulFamily();
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
      return &QuantizeFamily();
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_LEAKY_RELU:
    case QC_ELU:
    case QC_HARDSWISH:
    case QC_HARDSIGMOID:
    case QC_SIGMOID:
    case QC_TANH:
    case QC_GELU:
      return &UnaryFamily();
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
      return &BinaryFamily();
    case QC_SOFTMAX:
      return &SoftmaxFamily();
    case QC_PRELU:
      return &PreluFamily();
    case QC_BATCH_NORM:
      return &BatchNormFamily();
    case QC_INSTANCE_NORM:
    case QC_GROUP_NORM:
    case QC_LAYER_NORM:
      return &NormFamily();
    case QC_MAX_POOL:
      return &MaxPoolFamily();
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
      return &AveragePoolFamily();
    case QC_MEAN:
      return &MeanFamily();
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
      return &MovementFamily();
    case QC_CONCAT:
      return &ConcatFamily();
    case QC_UPSAMPLE:
      return &UpsampleFamily();
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return &PixelShuffleFamily();
    case QC_DYNAMIC_QUANTIZE:
      return &DynamicQuantizeFamily();
    case QC_EMBEDDING:
    case QC_EMBEDDING_BAG:
      return &EmbeddingFamily();
    case QC_LSTM:
    case QC_GRU:
      return &RecurrentFamily();
    default:
      return nullptr;
  }
}

// A descriptor made ready, or the reason why there is no definition.
// Codes may be rounded by any known rule of the kind that the operator has: of real
// values, or of an accumulator.
bool DefinesUnder(const Scheme& scheme, const ScalarCall& call,
                  const std::vector<std::string>& own) {
  if (!IsQuantized(call.y())) return false;
  const char* kind = IsRealScheme(scheme) ? kRealSchemeName : kFloatBiasSchemeName;
  return std::find(own.begin(), own.end(), kind) != own.end();
}

struct Resolved {
  const OperatorFamily* family = nullptr;
  ScalarCall call;
  std::vector<std::string> schemes;  // the operator's own
  std::string scheme;
  std::string objection;
};

size_t OutputCount(int32_t kind) {
  if (kind == QC_DYNAMIC_QUANTIZE || kind == QC_LSTM) return 3;
  return kind == QC_GRU ? 2 : 1;
}

// Only tables of embeddings hold 4-bit codes or have float zero points.
std::string CheckOperand(const qc_tensor& tensor, const std::string& name, bool table) {
  std::string objection = CheckTensor(tensor, name);
  if (!objection.empty() || table) return objection;
  if (tensor.zero_point_f32 != nullptr) return name + " has a float zero point";
  return IsPacked(tensor) ? name + " has 4-bit codes" : "";
}

std::string CheckOperands(const qc_descriptor& descriptor, const ScalarCall& call) {
  if (call.inputs.empty() || call.inputs[0] == nullptr) return "the input is missing";
  const size_t outputs = OutputCount(descriptor.kind);
  for (size_t i = 0; i < outputs; ++i) {
    if (call.output(i) == nullptr) {
      return outputs == 1 ? "the output is missing"
                          : "output " + std::to_string(i) + " is missing";
    }
  }
  if (call.outputs.size() != outputs) {
    return "there are more than " + std::to_string(outputs) + " outputs";
  }
  if (descriptor.attributes == nullptr) return "the attributes are missing";
  const bool embedding =
      descriptor.kind == QC_EMBEDDING || descriptor.kind == QC_EMBEDDING_BAG;
  std::string objection;
  for (size_t i = 0; objection.empty() && i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr) continue;
    objection =
        CheckOperand(*call.inputs[i], "input " + std::to_string(i), embedding && i == 1);
  }
  for (size_t i = 0; objection.empty() && i < outputs; ++i) {
    const std::string name = outputs == 1 ? "the output" : "output " + std::to_string(i);
    objection = CheckOperand(*call.outputs[i], name, false);
  }
  return objection;
}

Resolved Resolve(const qc_descriptor& descriptor) {
  Resolved resolved;
  ScalarCall& call = resolved.call;
  call.kind = static_cast<qc_operator_kind>(descriptor.kind);
  call.attributes = {};
  if (descriptor.attributes != nullptr) {
    std::memcpy(&call.attributes, descriptor.attributes,
                std::min<size_t>(descriptor.attributes->size, sizeof(qc_attributes)));
  }
  call.inputs = {descriptor.inputs, static_cast<size_t>(descriptor.input_count)};
  // The outputs of a descriptor are only described; nothing is written through them.
  call.outputs = {const_cast<qc_tensor* const*>(descriptor.outputs),
                  static_cast<size_t>(descriptor.output_count)};
  resolved.family = FindFamily(descriptor.kind);
  if (resolved.family == nullptr) {
    resolved.objection =
        "operator kind " + std::to_string(descriptor.kind) + " has no definition";
    return resolved;
  }
  resolved.objection = CheckOperands(descriptor, call);
  if (resolved.objection.empty()) resolved.objection = resolved.family->check(call);
  if (!resolved.objection.empty()) return resolved;
  resolved.schemes = resolved.family->schemes(call);
  const bool asked = descriptor.scheme != nullptr && *descriptor.scheme != '\0';
  resolved.scheme = asked ? descriptor.scheme : resolved.schemes.front();
  const std::optional<Scheme> scheme = ParseScheme(resolved.scheme);
  const bool is_own = std::find(resolved.schemes.begin(), resolved.schemes.end(),
                                resolved.scheme) != resolved.schemes.end();
  if (!scheme ||
      (!is_own && (scheme->copy || !DefinesUnder(*scheme, call, resolved.schemes)))) {
    resolved.objection = "no definition under the scheme " + resolved.scheme;
    return resolved;
  }
  call.scheme = *scheme;
  return resolved;
}

}  // namespace

bool DefinesOperator(const qc_descriptor& descriptor, std::string* reason) {
  const Resolved resolved = Resolve(descriptor);
  if (reason != nullptr) *reason = resolved.objection;
  return resolved.objection.empty();
}

std::vector<std::string> ScalarSchemes(const qc_descriptor& descriptor) {
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  const Resolved resolved = Resolve(any);
  std::vector<std::string> names = resolved.schemes;
  if (!resolved.objection.empty()) return names;
  for (const Scheme& scheme : KnownSchemes()) {
    if (!DefinesUnder(scheme, resolved.call, resolved.schemes)) continue;
    std::string name = SchemeName(scheme);
    if (std::find(resolved.schemes.begin(), resolved.schemes.end(), name) ==
        resolved.schemes.end())
      names.push_back(std::move(name));
  }
  return names;
}

std::string ScalarScheme(const qc_descriptor& descriptor) {
  const Resolved resolved = Resolve(descriptor);
  return resolved.objection.empty() ? resolved.scheme : "";
}

qc_status RunScalarOperator(const qc_descriptor& descriptor,
                            std::span<const qc_tensor* const> inputs,
                            std::span<qc_tensor* const> outputs, ScalarReport* report) {
  Resolved resolved = Resolve(descriptor);
  if (!resolved.objection.empty()) return QC_UNSUPPORTED;
  if (inputs.size() != resolved.call.inputs.size() ||
      outputs.size() != resolved.call.outputs.size()) {
    return QC_INVALID;
  }
  ScalarReport own;
  resolved.call.inputs = inputs;
  resolved.call.outputs = outputs;
  resolved.call.report = report != nullptr ? report : &own;
  resolved.family->run(resolved.call);
  return resolved.call.report->invalid.empty() ? QC_OK : QC_INVALID;
}

}  // namespace qconform
