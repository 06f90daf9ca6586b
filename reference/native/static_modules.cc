// Weighted reference modules between dequantize and quantize.
#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/native/lowering.h"
#include "reference/native/static_pattern.h"

namespace qconform {
namespace {

// A fused container is lowered if its element 0 is of class `inner`.
struct LoweredClass {
  std::string type;
  std::string inner;
};

using LoweredClasses = std::unordered_map<std::string, LoweredClass>;

// (STATIC_LOWER_MODULE_MAP, STATIC_LOWER_FUSED_MODULE_MAP)
const LoweredClasses& OneInputClasses() {
  static const auto* classes = [] {
    auto* table = new LoweredClasses;
    const std::string reference = "torch.ao.nn.quantized.reference.";
    const std::string fused = "torch.ao.nn.intrinsic.";
    for (const std::string name : {"Linear", "Conv1d", "Conv2d", "Conv3d"}) {
      (*table)[reference + name] = {"torch.ao.nn.quantized." + name, ""};
    }
    for (const std::string name : {"LinearReLU", "LinearLeakyReLU", "LinearTanh"}) {
      (*table)[fused + name] = {fused + "quantized." + name, reference + "Linear"};
    }
    for (const std::string rank : {"1d", "2d", "3d"}) {
      (*table)[fused + "ConvReLU" + rank] = {fused + "quantized.ConvReLU" + rank,
                                             reference + "Conv" + rank};
    }
    return table;
  }();
  return *classes;
}

// (STATIC_LOWER_FUSED_MODULE_TWO_INPUTS_MAP)
const LoweredClasses& TwoInputClasses() {
  static const auto* classes = [] {
    auto* table = new LoweredClasses;
    const std::string fused = "torch.ao.nn.intrinsic.";
    for (const std::string name : {"ConvAdd2d", "ConvAddReLU2d"}) {
      (*table)[fused + name] = {fused + "quantized." + name,
                                "torch.ao.nn.quantized.reference.Conv2d"};
    }
    return table;
  }();
  return *classes;
}

bool HasInner(const Module& module, const std::string& inner) {
  if (inner.empty()) return true;
  const auto* first = module.children.Find("0");
  return first != nullptr && *first && (*first)->type == inner;
}

// Reroutes every one of the operator's `inputs` around its dequantize and drops the
// quantize node with its parameters. A relu in between loses its user.
void Rewire(Graph& graph, Node* quantize, Node* operation, size_t inputs) {
  Node* scale = NodeArgument(*quantize, 1);
  Node* zero_point = NodeArgument(*quantize, 2);
  if (operation->args().size() != inputs) {
    throw PipelineError("AssertionError", "Expected reference node to have exactly " +
                                              std::to_string(inputs) + " arg");
  }
  for (size_t i = 0; i < inputs; ++i) {
    Node* dequantize = operation->args()[i].AsNode();
    // The same tensor twice was replaced at once.
    if (!IsDequantize(dequantize)) continue;
    operation->ReplaceInput(dequantize, NodeArgument(*dequantize, 0));
  }
  graph.ReplaceAllUses(quantize, operation);
  EraseNode(graph, quantize);
  EraseNode(graph, scale);
  EraseNode(graph, zero_point);
}

void Lower(const Lowering& lowering, const CalledModules& modules,
           const LoweredClasses& classes, Node* quantize, Node* operation,
           size_t inputs) {
  const Module& reference = *modules.Find(operation);
  const LoweredClass& lowered = classes.at(reference.type);
  if (!HasInner(reference, lowered.inner)) return;
  lowering.module.SetModule(
      operation->target(),
      MakeStaticWeighted(lowered.type, reference, QparamsOf(lowering.module, *quantize),
                         lowering.engine));
  Rewire(lowering.module.graph, quantize, operation, inputs);
}

}  // namespace

void LowerStaticModules(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  const LoweredClasses& classes = OneInputClasses();
  const auto is_known = [&](const Node& node) {
    return classes.count(modules.TypeOf(&node)) > 0;
  };
  Graph& graph = lowering.module.graph;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = &*it++;
    const StaticPattern pattern =
        MatchStaticPattern(node, lowering, modules, is_known, {0});
    if (pattern.quantize == nullptr || NeedsRelu(lowering, pattern)) continue;
    Lower(lowering, modules, classes, node, pattern.operation, 1);
  }
}

void LowerTwoInputModules(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  const LoweredClasses& classes = TwoInputClasses();
  Graph& graph = lowering.module.graph;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = &*it++;
    if (!IsQuantizePerTensor(*node)) continue;
    Node* operation = NodeArgument(*node, 0);
    if (HasNoneQConfig(lowering, *operation) ||
        classes.count(modules.TypeOf(operation)) == 0) {
      continue;
    }
    const std::vector<Argument>& args = operation->args();
    if (args.size() != 2 || !IsDequantize(args[0]) || !IsDequantize(args[1])) continue;
    Lower(lowering, modules, classes, node, operation, 2);
  }
}

}  // namespace qconform
