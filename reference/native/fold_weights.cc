// Runs the prepack operators of functional weights once and keeps their results.
#include <unordered_map>
#include <unordered_set>

#include "reference/convert/producer_graph.h"
#include "reference/ir/error.h"
#include "reference/native/lowering.h"
#include "reference/native/packed_weights.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/resolve.h"

namespace qconform {
namespace {

// The value of a prepack node from the module's tensors alone.
std::shared_ptr<Module> RunPrepack(const GraphModule& module, const Node& prepack,
                                   const std::vector<const Node*>& producers,
                                   const std::string& engine) {
  GraphModule part = GraphOfProducers(module, producers);
  Interpreter interpreter(part);
  NodeValues values;
  const std::string where = "node '" + prepack.name() + "'";
  for (const Node& node : part.graph.nodes()) {
    if (node.op() == Op::kCallFunction && IsPrepackOperator(node.target())) {
      OrderedMap<Value> kwargs;
      for (const auto& [name, argument] : node.kwargs()) {
        kwargs.Set(name, Resolve(argument, values, where));
      }
      return Prepack(node.target(), Resolve(node.args(), values, where), kwargs, engine);
    }
    values[&node] = interpreter.Evaluate(node, values);
  }
  return nullptr;
}

// "<path>_packed_weight_<first free number>". (get_new_attr_name_with_prefix)
std::string FreeName(const Module& root, std::string path,
                     std::unordered_map<std::string, int>& next) {
  for (char& character : path) {
    if (character == '.') character = '_';
  }
  const std::string prefix = path + "_packed_weight_";
  int& number = next[prefix];
  std::string name;
  do {
    name = prefix + std::to_string(number++);
  } while (root.children.Contains(name) || root.buffers.Contains(name) ||
           root.parameters.Contains(name) || root.attributes.Contains(name));
  return name;
}

std::string PathOf(const GraphModule& module, const Node& node) {
  const auto scope = module.scopes.find(node.name());
  return scope == module.scopes.end() ? "" : scope->second.path;
}

}  // namespace

void FoldWeights(const Lowering& lowering) {
  GraphModule& module = lowering.module;
  // By node name, as a node that two weights share belongs to the later one.
  std::unordered_map<std::string, const Node*> folded;
  std::unordered_map<const Node*, std::shared_ptr<Module>> packed;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallFunction || !IsPrepackOperator(node.target())) continue;
    const std::vector<const Node*> producers = ProducersOf(&node);
    if (producers.empty()) continue;
    for (const Node* producer : producers) folded[producer->name()] = &node;
    packed[&node] = RunPrepack(module, node, producers, lowering.engine);
  }

  Graph graph;
  std::unordered_map<const Node*, Node*> copies;
  std::unordered_map<std::string, int> next_name;
  const auto copied = [&](Node* node) {
    const auto found = copies.find(node);
    if (found == copies.end()) throw PipelineError("KeyError", node->name());
    return found->second;
  };
  for (const Node& node : module.graph.nodes()) {
    const auto found = folded.find(node.name());
    if (found != folded.end() && found->second != &node) continue;
    if (found != folded.end()) {
      if (node.users().empty()) throw PipelineError("StopIteration", node.name());
      const std::string name =
          FreeName(*module.root, PathOf(module, *node.users()[0]), next_name);
      module.root->children.Set(name, packed.at(&node));
      copies[&node] = graph.Append(Op::kGetAttr, name);
      continue;
    }
    std::vector<Argument> args = node.args();
    OrderedMap<Argument> kwargs = node.kwargs();
    for (Argument& argument : args) MapNodes(argument, copied);
    for (auto& [name, argument] : kwargs) MapNodes(argument, copied);
    Node* copy = graph.Append(node.op(), node.target(), std::move(args),
                              std::move(kwargs), node.name());
    copy->meta() = node.meta();
    copies[&node] = copy;
  }
  module.graph = std::move(graph);
}

}  // namespace qconform
