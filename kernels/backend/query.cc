#include "kernels/backend/query.h"

namespace qconform::kernels {
namespace {

const KernelFamily* FamilyOf(int32_t kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
      return &ConvFamily();
    case QC_LINEAR:
      return &LinearFamily();
    case QC_MATMUL:
      return &MatmulFamily();
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_LEAKY_RELU:
    case QC_PRELU:
    case QC_ELU:
    case QC_HARDSWISH:
    case QC_HARDSIGMOID:
    case QC_SIGMOID:
    case QC_TANH:
    case QC_GELU:
      return &ActivationFamily();
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
    case QC_DYNAMIC_QUANTIZE:
      return &QuantizeFamily();
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
      return &ElementwiseFamily();
    case QC_MAX_POOL:
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
    case QC_MEAN:
      return &PoolFamily();
    case QC_CONCAT:
      return &ConcatFamily();
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return &MovementFamily();
    case QC_UPSAMPLE:
      return &UpsampleFamily();
    case QC_SOFTMAX:
      return &SoftmaxFamily();
    case QC_BATCH_NORM:
    case QC_INSTANCE_NORM:
    case QC_GROUP_NORM:
    case QC_LAYER_NORM:
      return &NormalizeFamily();
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

std::string CheckTensor(const qc_tensor* tensor, const char* name) {
  if (tensor == nullptr) return std::string(name) + " is missing";
  if (tensor->size < sizeof(qc_tensor)) {
    return std::string(name) + " has a struct size of no version";
  }
  return "";
}

// That every struct is whole, so that nobody else needs to ask.
std::string CheckStructs(const qc_descriptor& descriptor) {
  if (descriptor.size < sizeof(qc_descriptor)) {
    return "the descriptor has a struct size of no version";
  }
  if (descriptor.attributes == nullptr) return "attributes are missing";
  if (descriptor.attributes->size < sizeof(qc_attributes)) {
    return "attributes have a struct size of no version";
  }
  if (descriptor.input_count < 1 || descriptor.output_count < 1 ||
      descriptor.inputs == nullptr || descriptor.outputs == nullptr) {
    return "inputs or outputs are missing";
  }
  std::string objection = CheckTensor(descriptor.inputs[0], "input 0");
  for (int i = 1; objection.empty() && i < descriptor.input_count; ++i) {
    if (descriptor.inputs[i] != nullptr) {
      objection = CheckTensor(descriptor.inputs[i], "an input");
    }
  }
  for (int i = 0; objection.empty() && i < descriptor.output_count; ++i) {
    objection = CheckTensor(descriptor.outputs[i], "an output");
  }
  return objection;
}

std::string FirstObjection(const qc_descriptor& descriptor, Answer& answer) {
  std::string objection = CheckStructs(descriptor);
  if (!objection.empty()) return objection;
  answer.family = FamilyOf(descriptor.kind);
  if (answer.family == nullptr) return "no kernel computes this operator";
  objection = answer.family->check(descriptor, answer.scheme);
  if (!objection.empty()) return objection;
  PathChoice choice = ChoosePath();
  answer.path = choice.path;
  return choice.reason;
}

}  // namespace

Answer Judge(const qc_descriptor& descriptor) {
  Answer answer;
  answer.reason = FirstObjection(descriptor, answer);
  answer.supported = answer.reason.empty();
  return answer;
}

}  // namespace qconform::kernels
