// add, mul and matmul between dequantize and quantize, and what asks a tensor's shape.
#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/native/lowering.h"
#include "reference/native/static_pattern.h"

namespace qconform {
namespace {

// (QBIN_OP_MAPPING; operator.matmul is in torch's map, but never looked for)
const std::unordered_map<std::string, std::string>& BinaryOperators() {
  static const auto* operators = new std::unordered_map<std::string, std::string>{
      {"operator.add", "add"}, {"torch.add", "add"},       {"operator.mul", "mul"},
      {"torch.mul", "mul"},    {"torch.matmul", "matmul"},
  };
  return *operators;
}

void Lower(Graph& graph, const StaticPattern& pattern) {
  Node* operation = pattern.operation;
  std::string name = BinaryOperators().at(operation->target());
  Node* scale = NodeArgument(*pattern.quantize, 1);
  Node* zero_point = NodeArgument(*pattern.quantize, 2);
  const std::vector<Argument> given = operation->args();
  int dequantized = 0;
  for (const Argument& argument : given) {
    if (!IsDequantize(argument)) continue;
    operation->ReplaceInput(argument.AsNode(), NodeArgument(*argument.AsNode(), 0));
    ++dequantized;
  }
  if (pattern.relu != nullptr) {
    if (name == "matmul") throw PipelineError("KeyError", operation->target());
    name += "_relu";
  }
  std::vector<Argument> args = operation->args();
  // With a number as the other operand the operator chooses its own parameters.
  if (dequantized == 2) {
    args.push_back(scale);
    args.push_back(zero_point);
  }
  Node* lowered = graph.InsertAfter(pattern.quantize, Op::kCallFunction,
                                    "quantized." + name, std::move(args));
  graph.ReplaceAllUses(pattern.quantize, lowered);
  EraseNode(graph, pattern.quantize);
  if (pattern.relu != nullptr) EraseNode(graph, pattern.relu);
  EraseNode(graph, operation);
}

bool AsksShape(const Node& node) {
  if (node.op() == Op::kCallFunction && node.target() == "builtins.getattr") {
    const std::string* name =
        node.args().size() > 1 ? node.args()[1].As<std::string>() : nullptr;
    return name != nullptr && *name == "shape";
  }
  return node.op() == Op::kCallMethod &&
         (node.target() == "shape" || node.target() == "size");
}

}  // namespace

void LowerBinaryOperators(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  const auto is_known = [](const Node& node) {
    return node.op() == Op::kCallFunction && BinaryOperators().count(node.target()) > 0;
  };
  Graph& graph = lowering.module.graph;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = &*it++;
    const StaticPattern pattern =
        MatchStaticPattern(node, lowering, modules, is_known, {0, 1});
    if (pattern.quantize != nullptr) Lower(graph, pattern);
  }
}

void LowerShapeQueries(const Lowering& lowering) {
  for (Node& node : lowering.module.graph.nodes()) {
    if (!AsksShape(node) || node.args().empty() || !IsDequantize(node.args()[0])) {
      continue;
    }
    node.set_arg(0, NodeArgument(*node.args()[0].AsNode(), 0));
  }
}

}  // namespace qconform
