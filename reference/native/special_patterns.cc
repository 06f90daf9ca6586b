// dequantize -> operator -> quantize for operators that run on quantized tensors.
#include "reference/convert/memory_format_names.h"
#include "reference/ir/error.h"
#include "reference/native/lowering.h"
#include "reference/native/special_operators.h"

namespace qconform {
namespace {

bool IsToHalf(const Node& node) {
  if (node.op() != Op::kCallMethod || node.target() != "to" || node.args().size() != 2) {
    return false;
  }
  const DType* dtype = node.args()[1].As<DType>();
  return dtype != nullptr && *dtype == DType::kFloat16;
}

// The nodes of the first argument, a list's items included; empty if one of them is no
// dequantize.
std::vector<Node*> DequantizedInputs(const Node& node) {
  if (node.args().empty() && node.kwargs().empty()) {
    throw PipelineError("AssertionError", "Expected ref_node to have args or kwargs");
  }
  const Argument& first =
      node.args().empty() ? node.kwargs().begin()->second : node.args()[0];
  std::vector<Node*> nodes;
  if (Node* single = first.AsNode()) {
    if (IsDequantize(single)) nodes.push_back(single);
    return nodes;
  }
  const Sequence* sequence = first.As<Sequence>();
  if (sequence == nullptr) {
    throw PipelineError("AssertionError", "Expected the first argument of " +
                                              node.name() +
                                              " to be a Node, tuple, or list");
  }
  for (const Argument& item : sequence->items) {
    if (item.AsNode() == nullptr) {
      throw PipelineError("AttributeError",
                          "an item of " + node.name() + " has no attribute 'op'");
    }
    if (!IsDequantize(item)) return {};
    nodes.push_back(item.AsNode());
  }
  return nodes;
}

void ReplaceModule(const Lowering& lowering, const Module& module, const Node& operation,
                   const Node& quantize) {
  const std::string type = QuantizedClassOf(module.type);
  if (type.empty()) return;
  const OutputQparams output = QparamsOf(lowering.module, quantize);
  if (type.find("ConvTranspose") != std::string::npos) {
    lowering.module.SetModule(operation.target(),
                              MakeStaticWeighted(type, module, output, lowering.engine));
    return;
  }
  const auto qconfig = lowering.qconfigs.modules.find(operation.target());
  lowering.module.SetModule(
      operation.target(),
      MakeQuantizedActivation(
          type, module, output,
          qconfig == lowering.qconfigs.modules.end() ? nullptr : qconfig->second));
}

// The quantized operator has no use for some of the float one's arguments.
// (QOP_TO_ARG_NAMES_TO_SKIP)
OrderedMap<Argument> KeptKeywords(const Node& operation, const std::string& name) {
  OrderedMap<Argument> kwargs = operation.kwargs();
  if (name == "hardswish" || name == "elu" || name == "dropout") kwargs.Erase("inplace");
  if (name == "instance_norm") {
    for (const char* skipped :
         {"running_mean", "running_var", "use_input_stats", "momentum"}) {
      kwargs.Erase(skipped);
    }
  }
  return kwargs;
}

void LowerFunction(Graph& graph, Node* operation, Node* scale, Node* zero_point) {
  const std::string name = operation->target().substr(operation->target().rfind('.') + 1);
  OrderedMap<Argument> kwargs = KeptKeywords(*operation, name);
  kwargs.Set("output_scale", scale);
  kwargs.Set("output_zero_point", zero_point);
  Node* lowered = graph.InsertAfter(zero_point, Op::kCallFunction, "quantized." + name,
                                    operation->args(), std::move(kwargs));
  graph.ReplaceAllUses(operation, lowered);
  EraseNode(graph, operation);
}

// Strict mode leaves what QNNPACK would permute in float.
bool PermutesCodes(const Lowering& lowering, const Node& operation,
                   const std::string& module_type, const Node& quantize) {
  const std::vector<Argument>& args = quantize.args();
  const DType* dtype = args.size() > 3 ? args[3].As<DType>() : nullptr;
  return lowering.engine == "qnnpack" && dtype != nullptr && *dtype == DType::kQUInt8 &&
         MemoryFormatRuleOf(operation.op() == Op::kCallModule
                                ? module_type
                                : operation.target()) == MemoryFormatRule::kClamped;
}

void Lower(const Lowering& lowering, const CalledModules& modules, Node* quantize) {
  Graph& graph = lowering.module.graph;
  const bool to_half = IsToHalf(*quantize);
  if (!to_half && quantize->target() != "torch.quantize_per_tensor") return;
  Node* operation = quantize->args().empty() ? nullptr : quantize->args()[0].AsNode();
  if (operation == nullptr) return;
  const std::string& type = modules.TypeOf(operation);
  const SpecialKind kind = SpecialKindOf(*operation, type);
  if (kind == SpecialKind::kNone) return;
  if (lowering.mode == Mode::kStrict &&
      PermutesCodes(lowering, *operation, type, *quantize)) {
    return;
  }
  if (to_half && (kind == SpecialKind::kFixedQparams || kind == SpecialKind::kDefault)) {
    return;
  }
  const std::vector<Node*> inputs = DequantizedInputs(*operation);
  if (inputs.empty()) return;

  if (operation->op() == Op::kCallModule && !to_half) {
    ReplaceModule(lowering, *modules.Find(operation), *operation, *quantize);
  }
  for (Node* dequantize : inputs) {
    operation->ReplaceInput(dequantize, NodeArgument(*dequantize, 0));
  }
  const std::vector<Argument> args = quantize->args();
  graph.ReplaceAllUses(quantize, operation);
  EraseNode(graph, quantize);
  if (kind == SpecialKind::kDefault && operation->op() == Op::kCallFunction) {
    LowerFunction(graph, operation, args[1].AsNode(), args[2].AsNode());
    return;
  }
  for (size_t i = 1; i < args.size(); ++i) {
    if (Node* parameter = args[i].AsNode()) EraseNode(graph, parameter);
  }
}

}  // namespace

void LowerSpecialPatterns(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  Graph& graph = lowering.module.graph;
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = &*it++;
    Lower(lowering, modules, node);
  }
}

}  // namespace qconform
