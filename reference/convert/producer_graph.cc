#include "reference/convert/producer_graph.h"

#include <algorithm>
#include <unordered_map>

#include "reference/ir/error.h"

namespace qconform {

std::vector<const Node*> ProducersOf(const Node* weight) {
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

GraphModule GraphOfProducers(const GraphModule& module, std::vector<const Node*> nodes) {
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

}  // namespace qconform
