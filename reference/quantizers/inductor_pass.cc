#include "reference/quantizers/inductor_pass.h"

#include <algorithm>

#include "reference/ir/error.h"

namespace qconform {
namespace {

const Node& RequireNode(const Node& node, size_t index) {
  const Node* input = index < node.args().size() ? node.args()[index].AsNode() : nullptr;
  if (input == nullptr) {
    throw PipelineError("AssertionError", "argument " + std::to_string(index) + " of " +
                                              node.name() + " is no node");
  }
  return *input;
}

}  // namespace

bool InductorPass::Skip(const ConstNodes& nodes) {
  const auto annotated = [&](const Node* node) { return IsAnnotated(*node); };
  if (std::none_of(nodes.begin(), nodes.end(), annotated)) return !filter(nodes);
  bool covered = false;
  try {
    covered = filter(nodes);
  } catch (const PipelineError&) {
    // torchao does not ask the filter here.
  }
  for (const Node* node : nodes) {
    if (!covered || !annotated(node)) continue;
    if (ledger.HasOwner(*node)) {
      ledger.Beaten(*node);
    } else {
      const std::string& rule = annotations.Find(*node)->rule;
      ledger.BeatenBy(*node, rule.empty() ? "another quantizer" : rule);
    }
  }
  return true;
}

void InductorPass::Annotate(const Node& node, QuantizationAnnotation annotation,
                            const std::string& recipe) {
  annotation.annotated = true;
  if (!annotation.is_output_of_quantized_pattern) {
    annotation.is_output_of_quantized_pattern = false;
  }
  annotation.rule = operators.class_name + " " + ledger.current() + ": " + recipe;
  annotations.Set(node, std::move(annotation));
  ledger.Reach(node);
}

void InductorPass::LeaveInFloat(const ConstNodes& nodes, const std::string& recipe) {
  for (const Node* node : nodes) Annotate(*node, {}, recipe + " in float");
}

void InductorPass::MarkAnnotated(const ConstNodes& nodes) {
  for (const Node* node : nodes) {
    QuantizationAnnotation& annotation = annotations[*node];
    if (!annotation.annotated && !annotation.is_output_of_quantized_pattern) {
      annotation.is_output_of_quantized_pattern = false;
    }
    annotation.annotated = true;
    if (node->op() != Op::kGetAttr) ledger.Reach(*node);
  }
}

void InductorPass::AnnotateWeighted(const Node& node, bool is_output,
                                    const std::string& recipe) {
  if (config == nullptr) {
    LeaveInFloat({&node}, recipe);
    return;
  }
  QuantizationAnnotation annotation;
  annotation.SetInput(RequireNode(node, 0), InputActivationSpec(config));
  annotation.SetInput(RequireNode(node, 1), WeightSpec(config));
  const Node* bias = node.args().size() > 2 ? node.args()[2].AsNode() : nullptr;
  if (bias != nullptr) annotation.SetInput(*bias, BiasSpec(config));
  annotation.is_output_of_quantized_pattern = is_output;
  Annotate(node, std::move(annotation), recipe);
}

void InductorPass::AnnotateLast(const Node& node, const std::string& recipe,
                                QuantizationSpecPointer output) {
  QuantizationAnnotation annotation;
  annotation.output = std::move(output);
  annotation.is_output_of_quantized_pattern = true;
  Annotate(node, std::move(annotation), recipe);
}

bool InductorPass::IsOutputOfQuantizedPattern(const Node& node) const {
  const QuantizationAnnotation* annotation = annotations.Find(node);
  if (annotation == nullptr || !annotation->annotated) return false;
  if (!annotation->is_output_of_quantized_pattern && mode == Mode::kTorch) {
    throw PipelineError("AssertionError",
                        node.name() + " was annotated by a quantizer of another class (" +
                            annotation->rule + "), which " + operators.class_name +
                            " cannot read");
  }
  return annotation->is_output_of_quantized_pattern.value_or(false);
}

std::optional<BinaryInputs> FindBinaryInputs(const InductorPass& pass,
                                             const Node& weighted, const Node& binary) {
  const bool torch = pass.mode == Mode::kTorch;
  for (size_t i = 0; i < 2; ++i) {
    const Node* input = i < binary.args().size() ? binary.args()[i].AsNode() : nullptr;
    if (input == nullptr && torch) {
      throw PipelineError("AttributeError", "argument " + std::to_string(i) + " of " +
                                                binary.name() + " is no node");
    }
    if (input != &weighted || input->op() != Op::kCallFunction) continue;
    const size_t other_index = 1 - i;
    const Node* other = other_index < binary.args().size()
                            ? binary.args()[other_index].AsNode()
                            : nullptr;
    if (other != nullptr) return BinaryInputs{i, other};
    if (!torch) return std::nullopt;
    throw PipelineError("AssertionError", binary.name() + " adds " + weighted.name() +
                                              " and a number, which has no edge to "
                                              "quantize");
  }
  if (!torch) return std::nullopt;
  throw PipelineError("TypeError", weighted.name() + " is no input of " + binary.name() +
                                       ", whose calls torch_fn holds for one");
}

ConstNodes OutputsOf(const std::vector<SourcePartition>& chain) {
  ConstNodes outputs;
  for (const SourcePartition& partition : chain) {
    if (partition.outputs.size() > 1) {
      throw PipelineError("ValueError", "the partition of " + partition.source + " at " +
                                            partition.nodes.front()->name() + " has " +
                                            std::to_string(partition.outputs.size()) +
                                            " outputs: " + partition.outputs[0]->name() +
                                            ", " + partition.outputs[1]->name());
    }
    if (partition.outputs.empty()) {
      throw PipelineError("IndexError", "nobody uses what the partition of " +
                                            partition.source + " at " +
                                            partition.nodes.front()->name() + " gives");
    }
    outputs.push_back(partition.outputs.front());
  }
  return outputs;
}

}  // namespace qconform
