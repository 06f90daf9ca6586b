#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/dequantize_passes.h"
#include "reference/pt2e/live_nodes.h"

namespace qconform {
namespace {

// (is_valid_annotation)
bool SaysSomething(const QuantizationAnnotation* annotation) {
  return annotation != nullptr &&
         (!annotation->inputs.empty() || annotation->output != nullptr);
}

// choose_qparams, getitem, quantize, `dequantize`.
bool IsBehindChosenParameters(const Node& dequantize) {
  const Node* quantize = ArgumentAt(dequantize, 0).AsNode();
  if (quantize == nullptr || !IsDecomposedQuantize(*quantize)) return false;
  const Node* scale = ArgumentAt(*quantize, 1).AsNode();
  if (scale == nullptr || !IsCall(*scale, "operator.getitem")) return false;
  const Node* chosen = ArgumentAt(*scale, 0).AsNode();
  return chosen != nullptr &&
         IsCall(*chosen, "quantized_decomposed.choose_qparams.tensor");
}

void CopyFor(ExportedProgram& program, Node* dequantize, Node* user) {
  Node* copy = program.module.graph.InsertAfter(dequantize, Op::kCallFunction,
                                                dequantize->target(), dequantize->args(),
                                                dequantize->kwargs(), dequantize->name());
  const auto found = program.metadata.find(dequantize->name());
  if (found != program.metadata.end()) {
    NodeMetadata metadata = found->second;
    program.metadata[copy->name()] = std::move(metadata);
  }
  user->ReplaceInput(dequantize, copy);
}

}  // namespace

void DuplicateDequantize(ExportedProgram& program, const Annotations& annotations) {
  for (Node* node : program.module.graph.NodePointers()) {
    if (!IsDecomposedDequantize(*node)) continue;
    const std::vector<Node*> users = ValueUsers(*node);
    if (users.size() <= 1 || IsBehindChosenParameters(*node)) continue;
    for (Node* user : users) {
      if (SaysSomething(annotations.Find(*user))) CopyFor(program, node, user);
    }
  }
  EliminateDeadNodes(program);
}

}  // namespace qconform
