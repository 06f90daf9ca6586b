#include "reference/convert/weight_observers.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/observe/calibrate.h"

namespace qconform {
namespace {

// The node and what it is made of, consumers first; a node that is reached twice
// stands twice. Empty if a graph input is among them. (collect_producer_nodes)
std::vector<const Node*> Producers(const Node* weight) {
  std::vector<const Node*> nodes = {weight};
  std::vector<const Node*> frontier = {weight};
  while (!frontier.empty()) {
    const Node* node = frontier.back();
    frontier.pop_back();
    std::vector<const Node*> inputs;
    for (const Argument& argument : node->args()) inputs.push_back(argument.AsNode());
    for (const auto& [name, argument] : node->kwargs()) {
      inputs.push_back(argument.AsNode());
    }
    for (const Node* input : inputs) {
      if (input == nullptr) continue;
      if (input->op() == Op::kPlaceholder) return {};
      nodes.push_back(input);
      if (input->op() != Op::kCallFunction || input->target() != "builtins.getattr") {
        frontier.push_back(input);
      }
    }
  }
  return nodes;
}

// A graph of these nodes alone, over the same modules and tensors.
// (graph_module_from_producer_nodes)
GraphModule SubGraph(const GraphModule& module, std::vector<const Node*> nodes) {
  std::reverse(nodes.begin(), nodes.end());
  GraphModule part;
  part.root = module.root;
  std::unordered_map<const Node*, Node*> copies;
  const auto copied = [&](Node* node) {
    const auto found = copies.find(node);
    if (found == copies.end()) throw PipelineError("KeyError", node->name());
    return found->second;
  };
  for (const Node* node : nodes) {
    std::vector<Argument> args = node->args();
    OrderedMap<Argument> kwargs = node->kwargs();
    for (Argument& argument : args) MapNodes(argument, copied);
    for (auto& [name, argument] : kwargs) MapNodes(argument, copied);
    copies[node] = part.graph.Append(node->op(), node->target(), std::move(args),
                                     std::move(kwargs), node->name());
  }
  part.graph.Append(Op::kOutput, "output", {copies.at(nodes.back())});
  return part;
}

}  // namespace

void RunWeightObservers(GraphModule& module,
                        const std::unordered_map<std::string, NodeTarget>& targets) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    const auto target = targets.find(node.name());
    if (target == targets.end()) continue;
    for (const Argument& argument : node.args()) {
      const Node* weight = argument.AsNode();
      if (weight == nullptr || !IsWeightArgument(node, target->second, weight)) continue;
      const std::vector<const Node*> producers = Producers(weight);
      if (producers.empty()) continue;
      GraphModule part = SubGraph(module, producers);
      RunObserved(part, {});
    }
  }
}

}  // namespace qconform
