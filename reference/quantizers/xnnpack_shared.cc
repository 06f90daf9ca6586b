// Operators of XNNPACKQuantizer whose output shares an observer with an input.
#include "reference/ir/error.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

const Node& FirstOutput(const SourcePartition& partition) {
  if (partition.outputs.empty()) {
    throw PipelineError("IndexError",
                        "nobody uses what " + partition.nodes.front()->name() + " gives");
  }
  return *partition.outputs.front();
}

}  // namespace

void AnnotateXnnpackAdaptiveAvgPool(XnnpackPass& pass) {
  const std::string recipe = "adaptive_avg_pool2d";
  for (const SourcePartition& partition : pass.index.Find(
           {"torch.nn.AdaptiveAvgPool2d", "torch.nn.functional.adaptive_avg_pool2d"},
           pass.filter)) {
    const Node& pool = FirstOutput(partition);
    if (!CallsOneOf(pool, {"aten.adaptive_avg_pool2d.default"})) {
      throw PipelineError("ValueError",
                          pool.name() + " is not an aten adaptive_avg_pool2d operator");
    }
    if (pass.Skip(pool, {&pool})) continue;
    const Node* input = pool.args()[0].AsNode();
    if (input == nullptr) {
      throw PipelineError("AssertionError",
                          "the input of " + pool.name() + " is no node");
    }
    const QuantizationAnnotation* before = pass.annotations.Find(*input);
    const bool observed =
        before != nullptr && before->annotated && before->output != nullptr;
    QuantizationAnnotation annotation;
    annotation.SetInput(*input, observed ? ShareWith(EdgeOrNode::Output(*input))
                                         : InputActivationSpec(pass.config));
    annotation.output = ShareWith(EdgeOrNode::Edge(*input, pool));
    pass.Annotate(pool, std::move(annotation), recipe);
  }
}

void AnnotateXnnpackCat(XnnpackPass& pass) {
  for (const SourcePartition& partition : pass.index.Find({"torch.cat"}, pass.filter)) {
    const Node& cat = FirstOutput(partition);
    if (pass.Skip(cat, {&cat})) continue;
    const Sequence* inputs = cat.args().empty() ? nullptr : cat.args()[0].As<Sequence>();
    if (!CallsOneOf(cat, {"aten.cat.default"}) || inputs == nullptr ||
        inputs->items.empty() || inputs->items.front().AsNode() == nullptr) {
      throw PipelineError("Exception",
                          "expected aten.cat.default over a list of nodes, "
                          "found " +
                              cat.target() + " at " + cat.name());
    }
    const Node& first = *inputs->items.front().AsNode();
    const QuantizationSpecPointer shared = ShareWith(EdgeOrNode::Edge(first, cat));
    QuantizationAnnotation annotation;
    annotation.SetInput(first, InputActivationSpec(pass.config));
    for (const Argument& item : inputs->items) {
      const Node* input = item.AsNode();
      if (input == nullptr || annotation.inputs.Contains(input->name())) continue;
      annotation.SetInput(*input, shared);
    }
    annotation.output = shared;
    pass.Annotate(cat, std::move(annotation), "cat");
  }
}

// Only what goes in and comes out: activation, hidden state, and both outputs.
void AnnotateXnnpackGru(XnnpackPass& pass) {
  for (const SourcePartition& partition :
       pass.index.Find({"torch.nn.GRU"}, pass.filter)) {
    XnnpackPass::Nodes ends = partition.inputs;
    ends.insert(ends.end(), partition.outputs.begin(), partition.outputs.end());
    const Node& first = *partition.nodes.front();
    bool annotated = false;
    for (const Node* node : ends) annotated = annotated || pass.IsAnnotated(*node);
    if (annotated || (pass.main_filter && !pass.main_filter(first))) continue;
    // A GRU that makes its own hidden state has one input.
    if (partition.inputs.size() < 2 || partition.outputs.size() != 2) {
      const std::string what = "the GRU at " + first.name() + " has " +
                               std::to_string(partition.inputs.size()) + " inputs and " +
                               std::to_string(partition.outputs.size()) +
                               " outputs, and not 2 of each";
      if (pass.mode == Mode::kTorch) {
        throw PipelineError(partition.inputs.size() < 2 ? "IndexError" : "AssertionError",
                            what);
      }
      pass.ledger.NotReached(first, what);
      continue;
    }
    for (size_t i = 0; i < 2; ++i) {
      const Node& input = *partition.inputs[i];
      QuantizationAnnotation annotation;
      annotation.SetInput(input, InputActivationSpec(pass.config));
      pass.Annotate(*input.users().front(), std::move(annotation), "gru_io_only");
    }
    for (const Node* output : partition.outputs) {
      QuantizationAnnotation annotation;
      annotation.output = OutputActivationSpec(pass.config);
      pass.Annotate(*output, std::move(annotation), "gru_io_only");
    }
    pass.MarkAnnotated(partition.nodes);
  }
}

void PropagateXnnpackAnnotations(const ExportedProgram& program,
                                 Annotations& annotations) {
  static const std::vector<std::string> sharing = {"aten.relu.default",
                                                   "aten.hardtanh.default",
                                                   "aten.hardtanh_.default",
                                                   "aten.max_pool2d.default",
                                                   "aten.mean.default",
                                                   "aten.mean.dim",
                                                   "aten.permute.default",
                                                   "aten.permute_copy.default",
                                                   "aten.squeeze.dim",
                                                   "aten.squeeze_copy.dim",
                                                   "aten.adaptive_avg_pool2d.default",
                                                   "aten.view_copy.default",
                                                   "aten.view.default",
                                                   "aten.slice_copy.Tensor",
                                                   "aten.flatten.using_ints"};
  for (const Node& node : program.module.graph.nodes()) {
    if (!CallsOneOf(node, sharing) || node.args().empty()) continue;
    const Node* producer = node.args()[0].AsNode();
    if (producer == nullptr || annotations.IsAnnotated(node)) continue;
    const QuantizationAnnotation* before = annotations.Find(*producer);
    if (before == nullptr || before->output == nullptr) continue;
    const QuantizationSpecPointer shared = ShareWith(EdgeOrNode::Output(*producer));
    QuantizationAnnotation annotation;
    annotation.SetInput(*producer, shared);
    annotation.output = shared;
    annotation.annotated = true;
    annotation.rule = "XNNPACKQuantizer: shares the observer of " + producer->name();
    annotations.Set(node, std::move(annotation));
  }
}

}  // namespace qconform
