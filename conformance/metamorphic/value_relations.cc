// The same real numbers in other codes, twice as large, or the other way round.
#include <algorithm>
#include <utility>

#include "conformance/host/code_element.h"
#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/metamorphic/relation.h"

namespace qconform {
namespace {

OutputBytes Same(const OperatorCall&, const OutputBytes& first) { return first; }

// Twice the input gives twice the output.

std::string ScaleObjection(const OperatorCall& call) {
  switch (call.kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_LINEAR:
    case QC_MATMUL:
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
    case QC_RELU:
    case QC_LEAKY_RELU:
    case QC_PRELU:
    case QC_MAX_POOL:
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
    case QC_MEAN:
    case QC_CONCAT:
    case QC_UPSAMPLE:
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
      break;
    default:
      return "an operator that is linear, up to the sign";
  }
  const int32_t fused = call.attributes.activation;
  if (call.attributes.dynamic != 0) return "qparams that are given";
  return fused == QC_ACTIVATION_NONE || fused == QC_ACTIVATION_RELU ||
                 fused == QC_ACTIVATION_LEAKY_RELU
             ? ""
             : "no activation but ReLU";
}

// Factors, slopes and weights stay as they are.
bool Doubles(const OperatorCall& call, size_t input) {
  if (input == 0) return true;
  switch (call.kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_LINEAR:
      return input >= 2 && call.inputs[input]->dtype != QC_S32;
    case QC_ADD:
    case QC_SUB:
    case QC_CONCAT:
      return true;
    default:
      return false;
  }
}

OperatorCall FollowScale(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  for (size_t i = 0; i < other.inputs.size(); ++i)
    if (other.inputs[i] && Doubles(call, i)) Double(*other.inputs[i]);
  if (call.kind == QC_ADD || call.kind == QC_SUB) other.attributes.scalar *= 2;
  Double(other.outputs[0]);
  return other;
}

OutputBytes ExpectScale(const OperatorCall& call, const OutputBytes& first) {
  CallTensor y = WithData(call.outputs[0], first[0]);
  // Codes are of twice the scale; real values are twice as large.
  if (y.scale.empty()) Double(y);
  return {y.data};
}

// Codes and zero point moved by one.

std::string ShiftObjection(const OperatorCall& call) {
  switch (call.kind) {
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_MAX_POOL:
    case QC_CONCAT:
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
    case QC_EMBEDDING:
    case QC_EMBEDDING_BAG:
      return "an operator that computes with real values";
    default:
      break;
  }
  const CallTensor& x = *call.inputs[0];
  const bool codes = IsCode(x.dtype);
  return codes && x.zero_point.size() == 1 ? "" : "an input of codes per tensor";
}

// Towards the side that has room for the zero point.
int32_t ShiftOf(const CallTensor& x) {
  return x.zero_point[0] > BoundsOf(x).min ? -1 : 1;
}

// Leaves the outermost code on that side free.
void PrepareShift(OperatorCall& call) {
  CallTensor& x = *call.inputs[0];
  const CodeBounds bounds = BoundsOf(x);
  const int32_t shift = ShiftOf(x);
  for (int64_t i = 0; i < NumElements(x.shape); ++i) {
    const int64_t code = CodeAt(x, i);
    SetCodeAt(
        x, i,
        shift < 0 ? std::max(code, bounds.min + 1) : std::min(code, bounds.max - 1));
  }
}

OperatorCall FollowShift(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  CallTensor& x = *other.inputs[0];
  const int32_t shift = ShiftOf(x);
  x.zero_point[0] += shift;
  for (int64_t i = 0; i < NumElements(x.shape); ++i)
    SetCodeAt(x, i, CodeAt(x, i) + shift);
  return other;
}

// Operands.

std::string OperandObjection(const OperatorCall& call) {
  const bool commutes = (call.kind == QC_ADD || call.kind == QC_MUL) &&
                        (call.attributes.alpha == 0.0f || call.attributes.alpha == 1.0f);
  if (!commutes) return "an addition or multiplication";
  return call.inputs.size() > 1 && call.inputs[1] ? "" : "two tensors";
}

OperatorCall FollowOperands(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  std::swap(other.inputs[0], other.inputs[1]);
  return other;
}

constexpr Relation kRelations[] = {
    {"scale_by_two", "an input of twice the scale gives the codes of twice the scale",
     ScaleObjection, nullptr, FollowScale, ExpectScale},
    {"shift_zero_point", "codes and zero point of the input moved by one give the same",
     ShiftObjection, PrepareShift, FollowShift, Same},
    {"swap_operands", "the operands swapped give the same", OperandObjection, nullptr,
     FollowOperands, Same},
};

}  // namespace

std::span<const Relation> ValueRelations() { return kRelations; }

}  // namespace qconform
