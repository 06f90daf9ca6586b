// Samples along dimension 0 know nothing of each other.
#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/metamorphic/relation.h"

namespace qconform {
namespace {

// Whether every slice of dimension 0 of the output depends on the same slice of the
// activations alone.
bool SamplesAreApart(const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  switch (call.kind) {
    case QC_SOFTMAX:
    case QC_CONCAT:
    case QC_LAYER_NORM:
      return a.axis != 0;
    case QC_MEAN:
      return (a.axis_mask & 1u) == 0;
    case QC_TRANSPOSE:
      return a.permutation[0] == 0;
    case QC_SLICE:
      return a.start[0] == 0 && a.stop[0] == call.inputs[0]->shape[0] && a.step[0] <= 1;
    case QC_PAD:
      return a.start[0] == 0 && a.stop[0] == 0;
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
      return call.inputs[0]->axis != 0 && call.outputs[0].axis != 0;
    case QC_LINEAR:
      return a.dynamic == 0;
    case QC_MATMUL:
      return call.inputs[1]->shape.size() > 2;
    case QC_RESHAPE:
    case QC_EMBEDDING_BAG:
    case QC_LSTM:
    case QC_GRU:
    case QC_DYNAMIC_QUANTIZE:
      return false;
    default:
      return true;
  }
}

// An activation with a sample each; what is broadcast over them is not cut.
bool HasSamples(const OperatorCall& call, const CallTensor& input) {
  return !input.constant && !input.shape.empty() &&
         input.shape[0] == call.outputs[0].shape[0] &&
         (call.kind == QC_EMBEDDING ||
          input.shape.size() >= call.outputs[0].shape.size());
}

std::string Objection(const OperatorCall& call) {
  if (call.outputs.size() != 1 || call.outputs[0].shape.empty() ||
      call.outputs[0].shape[0] < 2)
    return "a batch of at least two samples";
  return SamplesAreApart(call) ? ""
                               : "an operator whose samples know nothing of each other";
}

OperatorCall Cut(const OperatorCall& call, const Order& order) {
  OperatorCall cut = call;
  for (auto& input : cut.inputs)
    if (input && HasSamples(call, *input)) input = Gathered(*input, 0, order);
  cut.outputs[0] = Gathered(call.outputs[0], 0, order);
  if (call.kind == QC_SLICE) cut.attributes.stop[0] = cut.inputs[0]->shape[0];
  return cut;
}

OutputBytes CutOutput(const OperatorCall& call, const OutputBytes& first,
                      const Order& order) {
  return {Gathered(WithData(call.outputs[0], first[0]), 0, order).data};
}

Order Half(const OperatorCall& call) { return SecondHalf(call.outputs[0].shape[0]); }

Order Reversed(const OperatorCall& call) {
  return ReversedWithin(call.outputs[0].shape[0], 1);
}

template <Order (*order)(const OperatorCall&)>
OperatorCall Follow(const OperatorCall& call, const OutputBytes&) {
  return Cut(call, order(call));
}

template <Order (*order)(const OperatorCall&)>
OutputBytes Expect(const OperatorCall& call, const OutputBytes& first) {
  return CutOutput(call, first, order(call));
}

constexpr Relation kRelations[] = {
    {"split_batch", "the second half of the batch alone gives the same", Objection,
     nullptr, Follow<Half>, Expect<Half>},
    {"reverse_batch", "the samples in reversed order give the same, reversed", Objection,
     nullptr, Follow<Reversed>, Expect<Reversed>},
};

}  // namespace

std::span<const Relation> BatchRelations() { return kRelations; }

}  // namespace qconform
