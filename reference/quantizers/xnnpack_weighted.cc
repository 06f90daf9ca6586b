// Linears and convolutions of XNNPACKQuantizer: input, weight and output are observed.
#include "reference/ir/error.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

const std::vector<std::string>& Relus() {
  static const std::vector<std::string> relus = {"aten.relu.default",
                                                 "aten.relu_.default"};
  return relus;
}

// What stands at the arguments of a weighted operator.
struct Inputs {
  const Node* activation;
  const Node* weight;
  const Node* bias;  // nullptr if there is none
};

Inputs InputsOf(const Node& node) {
  const auto at = [&](size_t i) {
    return i < node.args().size() ? node.args()[i].AsNode() : nullptr;
  };
  if (at(0) == nullptr || at(1) == nullptr) {
    throw PipelineError("AssertionError",
                        "input or weight of " + node.name() + " is no node");
  }
  return {at(0), at(1), at(2)};
}

QuantizationAnnotation InputAnnotation(const XnnpackPass& pass, const Inputs& inputs) {
  QuantizationAnnotation annotation;
  annotation.SetInput(*inputs.activation, InputActivationSpec(pass.config));
  annotation.SetInput(*inputs.weight, WeightSpec(pass.config));
  if (inputs.bias != nullptr) annotation.SetInput(*inputs.bias, BiasSpec(pass.config));
  return annotation;
}

XnnpackPass::Nodes WithParameters(XnnpackPass::Nodes nodes, const Inputs& inputs) {
  nodes.push_back(inputs.weight);
  if (inputs.bias != nullptr) nodes.push_back(inputs.bias);
  return nodes;
}

// A weighted operator and the relu that alone uses it.
void AnnotateWithRelu(XnnpackPass& pass, const std::vector<std::string>& targets,
                      const std::string& recipe) {
  for (const Node& relu : pass.program.module.graph.nodes()) {
    if (!CallsOneOf(relu, Relus()) || relu.args().empty()) continue;
    const Node* weighted = relu.args()[0].AsNode();
    if (weighted == nullptr || !CallsOneOf(*weighted, targets)) continue;
    if (weighted->users().size() > 1) continue;
    const Inputs inputs = InputsOf(*weighted);
    QuantizationAnnotation first = InputAnnotation(pass, inputs);
    const XnnpackPass::Nodes partition = WithParameters({&relu, weighted}, inputs);
    if (pass.Skip(*weighted, partition)) continue;
    QuantizationAnnotation last;
    last.output = OutputActivationSpec(pass.config);
    pass.Annotate(*weighted, std::move(first), recipe);
    pass.Annotate(relu, std::move(last), recipe);
    pass.MarkAnnotated(partition);
  }
}

}  // namespace

void AnnotateXnnpackLinearRelu(XnnpackPass& pass) {
  AnnotateWithRelu(pass, {"aten.linear.default"}, "linear_relu");
}

void AnnotateXnnpackConvRelu(XnnpackPass& pass, bool transposed) {
  if (transposed) {
    AnnotateWithRelu(pass,
                     {"aten.conv_transpose1d.default", "aten.conv_transpose2d.input",
                      "aten.conv_transpose3d.input"},
                     "conv_transpose_relu");
  } else {
    AnnotateWithRelu(
        pass,
        {"aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default",
         "aten.conv2d.padding", "aten.conv3d.default", "aten.conv3d.padding"},
        "conv_relu");
  }
}

// Unlike the others torchao's asks the linear alone, and adds to an annotation that is
// there and not done.
void AnnotateXnnpackLinear(XnnpackPass& pass) {
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (!CallsOneOf(node, {"aten.linear.default"})) continue;
    if (pass.Skip(node, {&node})) continue;
    const Inputs inputs = InputsOf(node);
    QuantizationAnnotation& annotation = pass.annotations[node];
    const QuantizationAnnotation added = InputAnnotation(pass, inputs);
    for (const auto& [producer, spec] : added.inputs)
      annotation.inputs.Set(producer, spec);
    annotation.output = OutputActivationSpec(pass.config);
    annotation.rule = pass.Rule("linear");
    pass.MarkAnnotated(WithParameters({&node}, inputs));
    pass.ledger.Reach(node);
  }
}

void AnnotateXnnpackConv(XnnpackPass& pass) {
  for (const Node& conv : pass.program.module.graph.nodes()) {
    if (!CallsOneOf(conv, {"aten.conv1d.default", "aten.conv2d.default"})) continue;
    const Inputs inputs = InputsOf(conv);
    QuantizationAnnotation annotation = InputAnnotation(pass, inputs);
    const XnnpackPass::Nodes partition = WithParameters({&conv}, inputs);
    if (pass.Skip(conv, partition)) continue;
    annotation.output = OutputActivationSpec(pass.config);
    pass.Annotate(conv, std::move(annotation), "conv");
    pass.MarkAnnotated(partition);
  }
}

}  // namespace qconform
