#include "reference/quantizers/pattern_graph.h"

#include <unordered_map>

#include "reference/ir/error.h"

namespace qconform {

Node* PatternBuilder::Get(const std::string& name) {
  if (const Node* const* found = pattern_.names.Find(name)) {
    return const_cast<Node*>(*found);
  }
  Graph& graph = *pattern_.graph;
  // Placeholders stand before all calls.
  Node* first_call = nullptr;
  for (Node& node : graph.nodes()) {
    if (node.op() != Op::kPlaceholder) {
      first_call = &node;
      break;
    }
  }
  Node* node = first_call == nullptr
                   ? graph.Append(Op::kPlaceholder, name, {}, {}, name)
                   : graph.InsertBefore(first_call, Op::kPlaceholder, name, {}, {}, name);
  pattern_.names.Set(name, node);
  return node;
}

PatternBuilder& PatternBuilder::Call(const std::string& name, const std::string& target,
                                     const std::vector<std::string>& inputs) {
  std::vector<Argument> args;
  for (const std::string& input : inputs) args.emplace_back(Get(input));
  pattern_.names.Set(
      name, pattern_.graph->Append(Op::kCallFunction, target, std::move(args), {}, name));
  last_ = name;
  return *this;
}

PatternBuilder& PatternBuilder::CallWithList(const std::string& name,
                                             const std::string& target,
                                             const std::vector<std::string>& inputs,
                                             const std::vector<std::string>& rest) {
  std::vector<Argument> items;
  for (const std::string& input : inputs) items.emplace_back(Get(input));
  std::vector<Argument> args = {Argument::List(std::move(items))};
  for (const std::string& input : rest) args.emplace_back(Get(input));
  pattern_.names.Set(
      name, pattern_.graph->Append(Op::kCallFunction, target, std::move(args), {}, name));
  last_ = name;
  return *this;
}

PatternBuilder& PatternBuilder::Name(const std::string& name, const std::string& of) {
  pattern_.names.Set(name, Get(of));
  return *this;
}

PatternGraph PatternBuilder::Finish() { return Finish({last_}); }

PatternGraph PatternBuilder::Finish(const std::vector<std::string>& returned) {
  std::vector<Argument> items;
  for (const std::string& name : returned) items.emplace_back(Get(name));
  pattern_.graph->Append(Op::kOutput, "output", {Argument::Tuple(std::move(items))}, {},
                         "output");
  return std::move(pattern_);
}

PatternGraph PatternOfProgram(const ExportedProgram& program,
                              const OrderedMap<std::string>& names) {
  PatternGraph pattern;
  std::unordered_map<const Node*, Node*> copies;
  const auto copied = [&](Node* node) { return copies.at(node); };
  for (const Node& node : program.module.graph.nodes()) {
    if (node.op() == Op::kCallModule) continue;  // _guards_fn
    const bool from_outside = node.op() == Op::kPlaceholder || node.op() == Op::kGetAttr;
    std::vector<Argument> args = from_outside ? std::vector<Argument>() : node.args();
    OrderedMap<Argument> kwargs = from_outside ? OrderedMap<Argument>() : node.kwargs();
    for (Argument& argument : args) MapNodes(argument, copied);
    for (auto& [key, argument] : kwargs) MapNodes(argument, copied);
    Node* copy =
        pattern.graph->Append(from_outside ? Op::kPlaceholder : node.op(), node.target(),
                              std::move(args), std::move(kwargs), node.name());
    copies[&node] = copy;
    if (names.empty() && node.op() != Op::kOutput) pattern.names.Set(node.name(), copy);
  }
  for (const auto& [name, of] : names) {
    const Node* node = pattern.graph->Find(of);
    if (node == nullptr) {
      throw InputError("pattern", "'" + name + "' names the node '" + of +
                                      "', which the program has not");
    }
    pattern.names.Set(name, node);
  }
  return pattern;
}

}  // namespace qconform
