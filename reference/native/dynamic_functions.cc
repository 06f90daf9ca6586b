// F.linear behind a dynamic quantize.
#include "reference/ir/error.h"
#include "reference/native/function_tables.h"
#include "reference/native/lowering.h"
#include "reference/native/static_pattern.h"

namespace qconform {
namespace {

// The nodes in front of a function that is quantized dynamically.
struct DynamicPattern {
  Node* quantize = nullptr;  // nullptr: no match
  Node* quantized_weight = nullptr;
};

DynamicPattern MatchInputs(const Node& node) {
  // torch unpacks two positional arguments, whatever will become of the node.
  if (node.args().size() < 2) {
    throw PipelineError("ValueError", "not enough values to unpack: " + node.name() +
                                          " has its weight by keyword");
  }
  const auto as_node = [&](size_t index) {
    const Node* argument = node.args()[index].AsNode();
    if (argument == nullptr) {
      throw PipelineError("AttributeError", "argument " + std::to_string(index) + " of " +
                                                node.name() + " has no attribute 'op'");
    }
    return argument;
  };
  const Node* input = as_node(0);
  if (!IsDequantize(node.args()[0])) return {};
  const Node* weight = as_node(1);
  if (!IsDequantize(node.args()[1])) return {};
  Node* quantize = NodeArgument(*input, 0);
  if (quantize->op() != Op::kCallFunction ||
      quantize->target() != "torch.quantize_per_tensor_dynamic") {
    return {};
  }
  return {quantize, NodeArgument(*weight, 0)};
}

DType DTypeArgument(const Node& node, const Argument& argument) {
  const DType* dtype = argument.As<DType>();
  if (dtype == nullptr) {
    throw PipelineError("KeyError", "no dtype among the arguments of " + node.name());
  }
  return *dtype;
}

void Lower(Graph& graph, Node* node, Node* relu) {
  const WeightedFunction& function = *FindWeightedFunction(*node);
  const DynamicPattern pattern = MatchInputs(*node);
  if (pattern.quantize == nullptr) return;
  const std::vector<Argument>& quantize_args = pattern.quantize->args();
  if (quantize_args.size() != 3) {
    throw PipelineError("ValueError",
                        "expected 3 arguments of " + pattern.quantize->name());
  }
  const DType activation = DTypeArgument(*pattern.quantize, quantize_args[1]);
  if (pattern.quantized_weight->args().empty()) {
    throw PipelineError("IndexError", "tuple index out of range");
  }
  const DType* weight = pattern.quantized_weight->args().back().As<DType>();
  const bool is_int8 =
      activation == DType::kQUInt8 && weight != nullptr && *weight == DType::kQInt8;
  const bool is_half =
      activation == DType::kFloat16 && weight != nullptr && *weight == DType::kFloat16;
  // Dynamic convolutions have no form with a relu, and torch then leaves them alone.
  if (function.kind != WeightedKind::kLinear || (!is_int8 && !is_half)) return;

  OrderedMap<Argument> kwargs = node->kwargs();
  OrderedMap<Argument> prepack_kwargs;
  if (const Argument* bias = kwargs.Find("bias")) {
    prepack_kwargs.Set("B", *bias);
    kwargs.Erase("bias");
    node->set_kwargs(kwargs);
  }
  Node* packed = graph.InsertBefore(
      node, Op::kCallFunction, PrepackOperator(function, *pattern.quantized_weight),
      PrepackArguments(function, *node, pattern.quantized_weight), prepack_kwargs);
  node->set_target(std::string("quantized.linear_") + (relu != nullptr ? "relu_" : "") +
                   (is_int8 ? "dynamic" : "dynamic_fp16"));
  std::vector<Argument> args = {quantize_args[0], packed};
  if (is_int8) args.push_back(quantize_args[2]);
  node->set_args(std::move(args));
  if (relu == nullptr) return;
  graph.ReplaceAllUses(relu, node);
  EraseNode(graph, relu);
}

}  // namespace

void LowerDynamicFunctions(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  Graph& graph = lowering.module.graph;
  // Backwards, so that a linear is met with its relu before it is met alone.
  for (auto it = graph.nodes().end(); it != graph.nodes().begin();) {
    Node* node = &*--it;
    Node* relu = nullptr;
    if ((node->op() == Op::kCallFunction &&
         node->target() == "torch.nn.functional.relu") ||
        modules.TypeOf(node) == "torch.nn.ReLU") {
      relu = node;
      node = NodeArgument(*relu, 0);
    }
    const WeightedFunction* function = FindWeightedFunction(*node);
    if (function == nullptr || function->kind == WeightedKind::kTransposedConvolution ||
        HasNoneQConfig(lowering, *node)) {
      continue;
    }
    // Lowering may erase the node that the iterator stands on.
    ++it;
    Lower(graph, node, relu);
    if (it != graph.nodes().begin() && &*std::prev(it) == (relu ? relu : node)) --it;
  }
}

}  // namespace qconform
