#include "reference/ir/verify.h"

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
  }
  return std::nullopt;
}

void Verify(const GraphModule& module, const std::string& where) {
  if (const std::optional<GraphDefect> defect = FindDefect(module)) {
    throw InputError(where, defect->what, defect->expected);
  }
}

}  // namespace qconform
