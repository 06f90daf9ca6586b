// F.linear and F.conv between dequantize and quantize, with a quantized weight.
#include "reference/ir/error.h"
#include "reference/native/function_tables.h"
#include "reference/native/lowering.h"
#include "reference/native/static_pattern.h"

namespace qconform {
namespace {

bool IsQuantizedWeight(const Node& node) {
  return node.op() == Op::kCallFunction &&
         (node.target() == "torch.quantize_per_tensor" ||
          node.target() == "torch.quantize_per_channel");
}

// F.linear spells the bias `bias`, its prepack `B`.
OrderedMap<Argument> PrepackKeywords(const WeightedFunction& function, const Node& node) {
  if (function.kind != WeightedKind::kLinear) return node.kwargs();
  OrderedMap<Argument> kwargs;
  const Argument* bias = node.kwargs().Find("bias");
  for (const auto& [name, value] : node.kwargs()) {
    if (name != "bias") kwargs.Set(name, value);
  }
  if (bias != nullptr) kwargs.Set("B", *bias);
  return kwargs;
}

// Puts `node`, which stands somewhere before `end`, directly after `position`, which
// stands before it or after it but before `end`, too. Both are found from `end`
// backwards: quantize parameters stand next to their quantize node.
void MoveAfter(Graph& graph, Graph::NodeList::iterator end, const Node* position,
               const Node* node) {
  auto position_at = graph.nodes().end();
  auto node_at = graph.nodes().end();
  for (auto it = end;
       it != graph.nodes().begin() &&
       (position_at == graph.nodes().end() || node_at == graph.nodes().end());) {
    --it;
    if (&*it == position) position_at = it;
    if (&*it == node) node_at = it;
  }
  graph.nodes().splice(std::next(position_at), graph.nodes(), node_at);
}

// `end` stands after the quantize node.
void Lower(Graph& graph, const StaticPattern& pattern, Graph::NodeList::iterator end) {
  Node* node = pattern.operation;
  const WeightedFunction& function = *FindWeightedFunction(*node);
  Node* scale = pattern.quantize->args()[1].AsNode();
  Node* zero_point = NodeArgument(*pattern.quantize, 2);
  const Node* input = NodeArgument(*node, 0);
  Node* weight = NodeArgument(*NodeArgument(*node, 1), 0);
  if (!IsQuantizedWeight(*weight)) return;
  const std::string prepack = PrepackOperator(function, *weight);
  if (scale == nullptr) {
    throw PipelineError("AssertionError", "Expected the scale to be a Node");
  }
  Node* packed = graph.InsertBefore(scale, Op::kCallFunction, prepack,
                                    PrepackArguments(function, *node, weight),
                                    PrepackKeywords(function, *node));
  // Transposed convolutions have no form with a relu; torch drops it all the same.
  const bool has_relu_form = function.kind != WeightedKind::kTransposedConvolution;
  node->set_target("quantized." + function.operation +
                   (has_relu_form && pattern.relu != nullptr ? "_relu" : ""));
  node->set_args({NodeArgument(*input, 0), packed, scale, zero_point});
  node->set_kwargs({});
  graph.ReplaceAllUses(pattern.quantize, node);
  MoveAfter(graph, end, zero_point, node);
  EraseNode(graph, pattern.quantize);
  if (pattern.relu != nullptr && has_relu_form) EraseNode(graph, pattern.relu);
}

}  // namespace

void LowerStaticFunctions(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  const auto is_known = [](const Node& node) {
    return FindWeightedFunction(node) != nullptr;
  };
  Graph& graph = lowering.module.graph;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = &*it++;
    const StaticPattern pattern =
        MatchStaticPattern(node, lowering, modules, is_known, {0, 1});
    if (pattern.quantize == nullptr) continue;
    const bool has_relu_form = FindWeightedFunction(*pattern.operation)->kind !=
                               WeightedKind::kTransposedConvolution;
    if (!has_relu_form && NeedsRelu(lowering, pattern)) continue;
    Lower(graph, pattern, it);
  }
}

}  // namespace qconform
