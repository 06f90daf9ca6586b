// Operators that stay in int8 behind a quantized one.
#include <algorithm>

#include "reference/ir/error.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {
namespace {

constexpr const char* kMaxPool = "aten.max_pool2d.default";
constexpr const char* kCat = "aten.cat.default";
constexpr const char* kFlatten = "aten.flatten.using_ints";

// Whether all inputs end a quantized pattern; says which does not.
bool AreQuantized(InductorPass& pass, const Node& node,
                  const std::vector<Node*>& inputs) {
  for (const Node* input : inputs) {
    if (pass.IsOutputOfQuantizedPattern(*input)) continue;
    pass.ledger.NotReached(
        node, "its input " + input->name() + " is not the output of a quantized pattern");
    return false;
  }
  return true;
}

// The first input is observed, the others share its observer.
void AnnotateCat(InductorPass& pass, const Node& cat) {
  const auto* inputs = cat.args().empty() ? nullptr : cat.args()[0].As<Sequence>();
  if (inputs == nullptr || inputs->items.empty() ||
      inputs->items.front().AsNode() == nullptr) {
    throw PipelineError("AssertionError", cat.name() + " concatenates no list of nodes");
  }
  const Node& first = *inputs->items.front().AsNode();
  QuantizationAnnotation annotation;
  annotation.SetInput(first, InputActivationSpec(pass.config));
  const QuantizationSpecPointer shared = ShareWith(EdgeOrNode::Edge(first, cat));
  for (size_t i = 1; i < inputs->items.size(); ++i) {
    const Node* input = inputs->items[i].AsNode();
    if (input == nullptr) {
      throw PipelineError("AssertionError", "input " + std::to_string(i) + " of " +
                                                cat.name() + " is no node");
    }
    // cat([x, x]) has one edge.
    if (!annotation.inputs.Contains(input->name())) annotation.SetInput(*input, shared);
  }
  annotation.is_output_of_quantized_pattern = true;
  pass.Annotate(cat, std::move(annotation), "cat");
}

void AnnotateOne(InductorPass& pass, const Node& node) {
  if (!pass.operators.propagated.contains(node.target()) ||
      node.op() != Op::kCallFunction) {
    return;
  }
  if (pass.Skip({&node})) return;
  if (pass.config == nullptr) {
    pass.LeaveInFloat({&node}, "propagation");
    return;
  }
  const std::vector<Node*> inputs = node.InputNodes();
  if (node.target() == kCat) {
    if (AreQuantized(pass, node, inputs)) AnnotateCat(pass, node);
    return;
  }
  const std::vector<Node*>& users = node.users();
  if (node.target() == kFlatten && !users.empty() &&
      std::none_of(users.begin(), users.end(), [&](const Node* user) {
        return pass.operators.quantizable.contains(user->target());
      })) {
    pass.ledger.NotReached(node, "no user of it is an operator that can be quantized");
    return;
  }
  if (inputs.empty()) {
    throw PipelineError("IndexError", node.name() + " has no input");
  }
  if (!AreQuantized(pass, node, {inputs.front()})) {
    if (node.target() == kMaxPool) {
      pass.warnings.push_back(
          "The input of maxpool2d is not quantized, skip annotate maxpool2d");
    }
    return;
  }
  QuantizationAnnotation annotation;
  annotation.SetInput(*inputs.front(), InputActivationSpec(pass.config));
  annotation.is_output_of_quantized_pattern = true;
  pass.Annotate(node, std::move(annotation), "propagation");
}

}  // namespace

void AnnotatePropagated(InductorPass& pass) {
  for (const Node& node : pass.program.module.graph.nodes()) AnnotateOne(pass, node);
}

void AnnotatePropagatedOutputs(const InductorOperators& operators, Mode mode,
                               const ExportedProgram& program, Annotations& annotations) {
  for (const Node& node : program.module.graph.nodes()) {
    if (!operators.propagated.contains(node.target())) continue;
    QuantizationAnnotation* annotation = annotations.Find(node);
    if (annotation == nullptr || !annotation->annotated) continue;
    if (!annotation->is_output_of_quantized_pattern && mode == Mode::kTorch) {
      throw PipelineError("AttributeError", node.name() +
                                                " was annotated by a quantizer of "
                                                "another class (" +
                                                annotation->rule + ")");
    }
    if (!annotation->is_output_of_quantized_pattern.value_or(false)) continue;
    const std::vector<Node*> inputs = node.InputNodes();
    if (inputs.empty()) continue;
    annotation->output = ShareWith(EdgeOrNode::Edge(*inputs.front(), node));
  }
}

}  // namespace qconform
