// Channels of convolution, linear and matrix products in another order, or some alone.
#include <algorithm>

#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/metamorphic/relation.h"

namespace qconform {
namespace {

bool IsWeighted(const OperatorCall& call) {
  return call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE || call.kind == QC_LINEAR;
}

int64_t Groups(const OperatorCall& call) {
  return std::max<int64_t>(call.attributes.groups, 1);
}

int Last(const CallTensor& tensor) { return static_cast<int>(tensor.shape.size()) - 1; }

// The dimension of channels of x, of y, and of w on either side.
int ChannelAxis(const OperatorCall& call, const CallTensor& activation) {
  return call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE ? 1 : Last(activation);
}

int WeightInputAxis(const OperatorCall& call) {
  if (call.kind == QC_MATMUL) return Last(*call.inputs[1]) - 1;
  return call.kind == QC_CONV_TRANSPOSE ? 0 : 1;
}

int WeightOutputAxis(const OperatorCall& call) {
  return call.kind == QC_CONV_TRANSPOSE ? 1 : 0;
}

int64_t SizeAt(const CallTensor& tensor, int axis) {
  return tensor.shape[static_cast<size_t>(axis)];
}

void GatherInput(OperatorCall& call, size_t i, int axis, const Order& order) {
  if (i < call.inputs.size() && call.inputs[i])
    call.inputs[i] = Gathered(*call.inputs[i], axis, order);
}

// Bias, residual and output, in the order of output channels.
void GatherOutputSide(OperatorCall& call, const Order& order) {
  const int axis = ChannelAxis(call, call.outputs[0]);
  GatherInput(call, 2, 0, order);
  GatherInput(call, 3, axis, order);
  call.outputs[0] = Gathered(call.outputs[0], axis, order);
}

OutputBytes GatherOutput(const OperatorCall& call, const OutputBytes& first,
                         const Order& order) {
  return {Gathered(WithData(call.outputs[0], first[0]),
                   ChannelAxis(call, call.outputs[0]), order)
              .data};
}

int64_t Outputs(const OperatorCall& call) {
  return SizeAt(call.outputs[0], ChannelAxis(call, call.outputs[0]));
}

// Input channels: the sum of products in another order.

std::string InputObjection(const OperatorCall& call) {
  if ((!IsWeighted(call) && call.kind != QC_MATMUL) || call.attributes.dynamic != 0)
    return "a convolution, linear or matrix product of codes";
  const CallTensor& w = *call.inputs[1];
  const int64_t inputs = SizeAt(*call.inputs[0], ChannelAxis(call, *call.inputs[0]));
  if (inputs / Groups(call) < 2) return "at least two input channels a group";
  int64_t terms = inputs / Groups(call);
  for (size_t d = 2; IsWeighted(call) && d < w.shape.size(); ++d) terms *= w.shape[d];
  return SumsObjection(terms);
}

OperatorCall FollowInputs(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  const int axis = ChannelAxis(call, *call.inputs[0]);
  GatherInput(other, 0, axis,
              ReversedWithin(SizeAt(*call.inputs[0], axis), Groups(call)));
  const int weight_axis = WeightInputAxis(call);
  // Of a convolution every output has the channels of its own group only.
  const int64_t parts = call.kind == QC_CONV_TRANSPOSE ? Groups(call) : 1;
  GatherInput(other, 1, weight_axis,
              ReversedWithin(SizeAt(*call.inputs[1], weight_axis), parts));
  return other;
}

OutputBytes Same(const OperatorCall&, const OutputBytes& first) { return first; }

// Output channels within their groups.

std::string OutputObjection(const OperatorCall& call) {
  if (!IsWeighted(call)) return "a convolution or linear";
  return Outputs(call) / Groups(call) < 2 ? "at least two output channels a group" : "";
}

Order OutputOrder(const OperatorCall& call) {
  return ReversedWithin(Outputs(call), Groups(call));
}

OperatorCall FollowOutputs(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  const int axis = WeightOutputAxis(call);
  const int64_t parts = call.kind == QC_CONV_TRANSPOSE ? 1 : Groups(call);
  GatherInput(other, 1, axis, ReversedWithin(SizeAt(*call.inputs[1], axis), parts));
  GatherOutputSide(other, OutputOrder(call));
  return other;
}

OutputBytes ExpectOutputs(const OperatorCall& call, const OutputBytes& first) {
  return GatherOutput(call, first, OutputOrder(call));
}

// Whole groups.

std::string GroupObjection(const OperatorCall& call) {
  if (call.kind != QC_CONV && call.kind != QC_CONV_TRANSPOSE) return "a convolution";
  return Groups(call) < 2 ? "at least two groups" : "";
}

OperatorCall FollowGroups(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  const int64_t groups = Groups(call);
  GatherInput(other, 0, 1, ReversedGroups(call.inputs[0]->shape[1], groups));
  // Dimension 0 of either weight goes by groups.
  GatherInput(other, 1, 0, ReversedGroups(call.inputs[1]->shape[0], groups));
  GatherOutputSide(other, ReversedGroups(Outputs(call), groups));
  return other;
}

OutputBytes ExpectGroups(const OperatorCall& call, const OutputBytes& first) {
  return GatherOutput(call, first, ReversedGroups(Outputs(call), Groups(call)));
}

// Some of the output channels alone.

std::string PartObjection(const OperatorCall& call) {
  if (!IsWeighted(call) || Groups(call) != 1)
    return "a convolution or linear without groups";
  return Outputs(call) < 2 ? "at least two output channels" : "";
}

OperatorCall FollowPart(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  const Order order = SecondHalf(Outputs(call));
  GatherInput(other, 1, WeightOutputAxis(call), order);
  GatherOutputSide(other, order);
  return other;
}

OutputBytes ExpectPart(const OperatorCall& call, const OutputBytes& first) {
  return GatherOutput(call, first, SecondHalf(Outputs(call)));
}

constexpr Relation kRelations[] = {
    {"permute_input_channels", "the input channels in reversed order give the same",
     InputObjection, MakeSumsExact, FollowInputs, Same},
    {"permute_output_channels",
     "the output channels in reversed order give the same, reversed", OutputObjection,
     nullptr, FollowOutputs, ExpectOutputs},
    {"permute_groups", "the groups in reversed order give the same, reversed",
     GroupObjection, nullptr, FollowGroups, ExpectGroups},
    {"split_output_channels",
     "the second half of the output channels alone gives the same", PartObjection,
     nullptr, FollowPart, ExpectPart},
};

}  // namespace

std::span<const Relation> ChannelRelations() { return kRelations; }

}  // namespace qconform
