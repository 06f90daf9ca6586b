#include "reference/lower/float_island.h"

#include <algorithm>

#include "reference/lower/node_arguments.h"

namespace qconform {

IslandWriter::IslandWriter(const GraphModule& reference, const NodeExamples& examples,
                           const std::vector<std::pair<const Node*, std::string>>& nodes)
    : reference_(reference), examples_(examples), nodes_(nodes) {
  std::unordered_set<const Node*> inside;
  std::unordered_set<const Node*> seen;
  for (const auto& [node, reason] : nodes) {
    for (const Node* input : node->InputNodes()) {
      if (examples.at(input).role == NodeRole::kShapeValue) continue;
      if (inside.count(input) == 0 && seen.insert(input).second) {
        inputs_.push_back(input);
      }
    }
    inside.insert(node);
  }
  for (const auto& [node, reason] : nodes) {
    const bool used_outside =
        std::any_of(node->users().begin(), node->users().end(), [&](const Node* user) {
          return inside.count(user) == 0 &&
                 examples.at(user).role != NodeRole::kShapeValue;
        });
    if (used_outside) outputs_.push_back(node);
  }
}

namespace {

// Puts an item at its place in nested tuples. Places come in order.
void Place(Sequence& tuple, const std::vector<int64_t>& place, Argument item) {
  Sequence* into = &tuple;
  for (size_t depth = 0; depth + 1 < place.size(); ++depth) {
    if (static_cast<int64_t>(into->items.size()) <= place[depth]) {
      into->items.push_back(Argument::Tuple({}));
    }
    into = into->items.back().As<Sequence>();
  }
  into->items.push_back(std::move(item));
}

}  // namespace

IslandWriter::Copies IslandWriter::AddPlaceholders(Graph& graph) const {
  Copies copies;
  for (const Node* input : inputs_) {
    const NodeExample& example = examples_.at(input);
    if (example.role != NodeRole::kSequence) {
      Node* copy = graph.Append(Op::kPlaceholder, input->name(), {}, {}, input->name());
      copies.emplace(input, Argument(copy));
      continue;
    }
    Sequence items;
    items.is_tuple = true;
    for (size_t i = 0; i < example.tensors.size(); ++i) {
      const std::string name = input->name() + "_item_" + std::to_string(i);
      Place(items, example.places[i],
            Argument(graph.Append(Op::kPlaceholder, name, {}, {}, name)));
    }
    copies.emplace(input, Argument(std::move(items)));
  }
  return copies;
}

// Arguments nest as deep as the readers allow, so the recursion is bounded.
Argument IslandWriter::Translated(const Argument& argument, const Copies& copies) const {
  if (const Node* node = argument.AsNode()) return copies.at(node);
  Argument translated = argument;
  const auto translate_all = [&](std::vector<Argument>& items) {
    for (Argument& item : items) item = Translated(item, copies);
  };
  if (Sequence* sequence = translated.As<Sequence>()) translate_all(sequence->items);
  if (Slice* slice = translated.As<Slice>()) translate_all(slice->bounds);
  if (Dictionary* dictionary = translated.As<Dictionary>()) {
    for (auto& [key, value] : dictionary->items) value = Translated(value, copies);
  }
  return translated;
}

// Shares the module and makes plain parents for it.
void IslandWriter::CopyModule(const std::string& path, GraphModule& part) const {
  for (size_t dot = path.find('.'); dot != std::string::npos;
       dot = path.find('.', dot + 1)) {
    const std::string parent = path.substr(0, dot);
    if (part.FindModule(parent) != nullptr) continue;
    auto module = std::make_shared<Module>();
    module->type = "torch.nn.Module";
    part.SetModule(parent, module);
  }
  part.SetModule(path, reference_.FindModule(path));
}

FloatIsland IslandWriter::Write() const {
  FloatIsland island;
  Graph& graph = island.part.graph;
  Copies copies = AddPlaceholders(graph);
  std::unordered_set<std::string> reasons;
  for (const auto& [node, reason] : nodes_) {
    std::vector<Argument> args;
    for (const Argument& argument : node->args()) {
      args.push_back(Translated(Folded(argument, examples_), copies));
    }
    OrderedMap<Argument> kwargs;
    for (const auto& [name, argument] : node->kwargs()) {
      kwargs.Set(name, Translated(Folded(argument, examples_), copies));
    }
    Node* copy = graph.Append(node->op(), node->target(), std::move(args),
                              std::move(kwargs), node->name());
    copies.emplace(node, Argument(copy));
    if (node->op() == Op::kCallModule) CopyModule(node->target(), island.part);
    island.nodes.push_back(node->name());
    if (reasons.insert(reason).second) {
      island.reason += (island.reason.empty() ? "" : "; ") + reason;
    }
  }
  std::vector<Argument> results;
  for (const Node* output : outputs_) {
    const NodeExample& example = examples_.at(output);
    if (example.role != NodeRole::kSequence) {
      results.push_back(copies.at(output));
      continue;
    }
    for (const std::vector<int64_t>& place : example.places) {
      Argument item = copies.at(output);
      for (const int64_t index : place) {
        item = Argument(
            graph.Append(Op::kCallFunction, "operator.getitem", {item, Argument(index)}));
      }
      results.push_back(item);
    }
  }
  graph.Append(Op::kOutput, "output", {Argument::Tuple(std::move(results))});
  return island;
}

}  // namespace qconform
