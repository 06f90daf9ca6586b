#include "reference/ir/verify.h"

#include <cmath>
#include <unordered_set>
#include <vector>

#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string Quote(const Node& node) { return "'" + node.name() + "'"; }

class GraphVerifier {
 public:
  explicit GraphVerifier(const Graph& graph) : graph_(graph) {}

  std::optional<GraphDefect> Find() {
    for (const Node& node : graph_.nodes()) all_.insert(&node);
    const Node* output = nullptr;
    std::unordered_set<std::string> names;
    for (const Node& node : graph_.nodes()) {
      if (!names.insert(node.name()).second) {
        return GraphDefect{&node, "node " + Quote(node) + " stands twice",
                           "each name once"};
      }
      if (output != nullptr) {
        return node.op() == Op::kOutput
                   ? GraphDefect{&node,
                                 "node " + Quote(node) + " is a second output after " +
                                     Quote(*output),
                                 "one output"}
                   : GraphDefect{&node,
                                 "node " + Quote(node) + " stands after the output " +
                                     Quote(*output),
                                 "the output as the last node"};
      }
      if (node.op() == Op::kOutput) output = &node;
      if (node.target().empty()) {
        return GraphDefect{&node, "node " + Quote(node) + " has no target", "a target"};
      }
      if (std::optional<GraphDefect> defect = FindInArguments(node)) return defect;
      defined_.insert(&node);
    }
    if (output == nullptr) {
      return GraphDefect{nullptr, "the graph has no output", "one node of op output"};
    }
    return std::nullopt;
  }

 private:
  std::optional<GraphDefect> FindInArguments(const Node& node) const {
    for (const Node* input : node.InputNodes()) {
      if (defined_.count(input) > 0) continue;
      if (all_.count(input) == 0) {
        return GraphDefect{
            &node, "an argument of node " + Quote(node) + " is no node of the graph",
            "a node of this graph"};
      }
      if (input == &node) {
        return GraphDefect{&node, "node " + Quote(node) + " is its own argument",
                           "a node before it"};
      }
      return GraphDefect{&node,
                         "node " + Quote(node) + " uses " + Quote(*input) +
                             ", which comes later or depends on it",
                         "each node after its arguments"};
    }
    return std::nullopt;
  }

  const Graph& graph_;
  std::unordered_set<const Node*> all_;
  std::unordered_set<const Node*> defined_;
};

bool HasAttribute(const GraphModule& module, const std::string& path) {
  const auto [parent_path, name] = SplitParent(path);
  const std::shared_ptr<Module> parent = module.FindModule(parent_path);
  return parent && (parent->parameters.Contains(name) || parent->buffers.Contains(name) ||
                    parent->attributes.Contains(name) || parent->children.Contains(name));
}

// The scales that a node quantizes or dequantizes with: a number, or what a get_attr
// reads. Those that are computed are not looked at.
std::vector<double> ConstantScales(const GraphModule& module, const Node& node) {
  const std::string& target = node.target();
  const bool quantizes = target.starts_with("torch.quantize_per_") ||
                         target.starts_with("quantized_decomposed.quantize_per_") ||
                         target.starts_with("quantized_decomposed.dequantize_per_");
  if (node.op() != Op::kCallFunction || !quantizes || node.args().size() < 2) return {};
  const Argument& scale = node.args()[1];
  if (const double* real = scale.As<double>()) return {*real};
  const Node* source = scale.AsNode();
  if (source == nullptr || source->op() != Op::kGetAttr) return {};
  const Tensor* tensor = module.FindTensor(source->target());
  if (tensor == nullptr ||
      (tensor->dtype() != DType::kFloat32 && tensor->dtype() != DType::kFloat64)) {
    return {};
  }
  std::vector<double> scales;
  for (int64_t i = 0; i < tensor->numel(); ++i) scales.push_back(tensor->ValueAt(i));
  return scales;
}

std::optional<GraphDefect> FindScaleDefect(const GraphModule& module, const Node& node) {
  for (const double scale : ConstantScales(module, node)) {
    if (std::isfinite(scale) && scale > 0) continue;
    const std::string text = std::isnan(scale) ? "NaN" : std::to_string(scale);
    return GraphDefect{&node, "node " + Quote(node) + " has a scale of " + text,
                       "a finite number above 0"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<GraphDefect> FindGraphDefect(const Graph& graph) {
  return GraphVerifier(graph).Find();
}

std::optional<GraphDefect> FindDefect(const GraphModule& module) {
  if (std::optional<GraphDefect> defect = FindGraphDefect(module.graph)) return defect;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() == Op::kCallModule && module.FindModule(node.target()) == nullptr) {
      return GraphDefect{&node,
                         "node " + Quote(node) + " calls the module '" + node.target() +
                             "', which is missing",
                         "a module of this path"};
    }
    if (node.op() == Op::kGetAttr && !HasAttribute(module, node.target())) {
      return GraphDefect{
          &node,
          "node " + Quote(node) + " reads '" + node.target() + "', which is missing",
          "a parameter, buffer or attribute of this path"};
    }
    if (std::optional<GraphDefect> defect = FindScaleDefect(module, node)) return defect;
  }
  return std::nullopt;
}

void Verify(const GraphModule& module, const std::string& where) {
  if (const std::optional<GraphDefect> defect = FindDefect(module)) {
    throw InputError(where, defect->what, defect->expected);
  }
}

}  // namespace qconform
