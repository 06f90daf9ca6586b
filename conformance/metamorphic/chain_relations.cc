// The second call reads what the first one gave.
#include "conformance/host/code_element.h"
#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/metamorphic/relation.h"

namespace qconform {
namespace {

bool SameQparams(const CallTensor& a, const CallTensor& b) {
  return a.dtype == b.dtype && a.scale == b.scale && a.zero_point == b.zero_point &&
         a.axis == b.axis && a.quant_min == b.quant_min && a.quant_max == b.quant_max;
}

// A call of one input and one output with the scheme left to the backend.
OperatorCall ChainedCall(qc_operator_kind kind, const OperatorCall& call,
                         const OutputBytes& first, const CallTensor& output) {
  OperatorCall next;
  next.kind = kind;
  next.attributes = EmptyAttributes();
  next.inputs.emplace_back(WithData(call.outputs[0], first[0]));
  next.outputs.push_back(output);
  next.outputs[0].data.clear();
  next.outputs[0].constant = false;
  return next;
}

// f(f(x)) = f(x)

std::string AgainObjection(const OperatorCall& call) {
  if (call.kind != QC_RELU && call.kind != QC_RELU6 && call.kind != QC_CLAMP)
    return "a ReLU or clamp";
  return SameQparams(*call.inputs[0], call.outputs[0])
             ? ""
             : "an output with the qparams of the input";
}

OperatorCall FollowAgain(const OperatorCall& call, const OutputBytes& first) {
  OperatorCall again = call;
  again.inputs[0]->data = first[0];
  return again;
}

OutputBytes Same(const OperatorCall&, const OutputBytes& first) { return first; }

// concat, then slice

std::string ConcatObjection(const OperatorCall& call) {
  if (call.kind != QC_CONCAT || call.inputs.size() < 2) return "a concat of two inputs";
  for (const auto& input : call.inputs)
    if (!SameQparams(*input, call.outputs[0]))
      return "inputs with the qparams of the output";
  return "";
}

OperatorCall FollowConcat(const OperatorCall& call, const OutputBytes& first) {
  const size_t part = call.inputs.size() - 1;
  const auto axis = static_cast<size_t>(call.attributes.axis);
  OperatorCall slice = ChainedCall(QC_SLICE, call, first, *call.inputs[part]);
  qc_attributes& a = slice.attributes;
  a.axis = call.attributes.axis;
  const Shape& shape = call.outputs[0].shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    a.stop[d] = shape[d];
    a.step[d] = 1;
  }
  a.start[axis] = shape[axis] - call.inputs[part]->shape[axis];
  return slice;
}

OutputBytes ExpectConcat(const OperatorCall& call, const OutputBytes&) {
  return {call.inputs.back()->data};
}

// There and back.

std::string TransposeObjection(const OperatorCall& call) {
  if (call.kind != QC_TRANSPOSE) return "a transpose";
  return SameQparams(*call.inputs[0], call.outputs[0])
             ? ""
             : "an output with the qparams of the input";
}

OperatorCall FollowTranspose(const OperatorCall& call, const OutputBytes& first) {
  OperatorCall back = ChainedCall(QC_TRANSPOSE, call, first, *call.inputs[0]);
  for (size_t d = 0; d < call.outputs[0].shape.size(); ++d)
    back.attributes.permutation[call.attributes.permutation[d]] = static_cast<int64_t>(d);
  return back;
}

std::string DequantizeObjection(const OperatorCall& call) {
  const CallTensor& x = *call.inputs[0];
  const bool codes = IsCode(x.dtype);
  return call.kind == QC_DEQUANTIZE && codes ? "" : "a dequantize of 8-bit codes";
}

OperatorCall FollowDequantize(const OperatorCall& call, const OutputBytes& first) {
  return ChainedCall(QC_QUANTIZE, call, first, *call.inputs[0]);
}

OutputBytes ExpectInput(const OperatorCall& call, const OutputBytes&) {
  return {call.inputs[0]->data};
}

constexpr Relation kRelations[] = {
    {"idempotent", "the output once more gives itself", AgainObjection, nullptr,
     FollowAgain, Same},
    {"concat_then_slice", "the last part cut out again is the last input",
     ConcatObjection, nullptr, FollowConcat, ExpectConcat},
    {"transpose_back", "transposed back it is the input", TransposeObjection, nullptr,
     FollowTranspose, ExpectInput},
    {"quantize_back", "quantized again it is the input", DequantizeObjection, nullptr,
     FollowDequantize, ExpectInput},
};

}  // namespace

std::span<const Relation> ChainRelations() { return kRelations; }

}  // namespace qconform
