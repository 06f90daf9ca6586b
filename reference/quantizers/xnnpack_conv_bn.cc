// Convolutions with batch norms that train.
#include "reference/ir/error.h"
#include "reference/quantizers/pattern_library.h"
#include "reference/quantizers/subgraph_matcher.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

// torchao's patterns have one and two dimensions.
NamedPattern WithoutThirdDimension(const NamedPattern& pattern) {
  static const std::vector<std::string> targets = {
      "aten.conv1d.default", "aten.conv2d.default", "aten.conv_transpose1d.default",
      "aten.conv_transpose2d.input"};
  NamedPattern kept;
  for (const PatternGraph& graph : pattern.graphs) {
    if (CallsOneOf(**graph.names.Find("conv"), targets)) kept.graphs.push_back(graph);
  }
  return kept;
}

}  // namespace

void AnnotateXnnpackConvBn(XnnpackPass& pass, bool has_relu, bool transposed) {
  const std::string name = std::string(transposed ? "conv_transpose_bn" : "conv_bn") +
                           (has_relu ? "_relu" : "");
  SubgraphMatchOptions options;
  options.ignore_literals = true;
  const NamedPattern pattern = WithoutThirdDimension(LibraryPattern(name));
  for (const SubgraphMatch& match :
       FindPattern(pattern, pass.program.module.graph, options)) {
    const Node* input = *match.by_name.Find("input");
    const Node* conv = *match.by_name.Find("conv");
    const Node* weight = *match.by_name.Find("weight");
    const Node* bias = *match.by_name.Find("bias");
    const Node* output = *match.by_name.Find("output");
    if (input == nullptr || weight == nullptr) {
      throw PipelineError("ValueError",
                          "input or weight of " + conv->name() + " is no node");
    }
    XnnpackPass::Nodes partition = {conv, weight};
    if (bias != nullptr) partition.push_back(bias);
    if (pass.Skip(*conv, partition)) continue;
    QuantizationAnnotation first;
    first.SetInput(*input, InputActivationSpec(pass.config));
    first.SetInput(*weight, WeightSpec(pass.config));
    if (bias != nullptr) first.SetInput(*bias, BiasSpec(pass.config));
    QuantizationAnnotation last;
    last.output = OutputActivationSpec(pass.config);
    pass.Annotate(*conv, std::move(first), name);
    pass.Annotate(*output, std::move(last), name);
    pass.MarkAnnotated(partition);
  }
}

}  // namespace qconform
