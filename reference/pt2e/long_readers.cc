#include "reference/pt2e/long_readers.h"

namespace qconform {

bool IsLongList(const Argument& argument) {
  constexpr size_t kLong = 64;
  const Sequence* sequence = argument.As<Sequence>();
  return sequence != nullptr && sequence->items.size() > kLong;
}

LongReaders::LongReaders(Graph& graph) : graph_(graph) {
  for (Node* node : graph.NodePointers()) {
    if (node->op() != Op::kCallFunction || node->args().empty() ||
        !IsLongList(node->args()[0])) {
      continue;
    }
    readers_.emplace_back(node, node->args());
    for (Node* value : node->InputNodes()) {
      Node*& stand_in = stand_ins_[value];
      if (stand_in == nullptr) {
        stand_in = graph.InsertAfter(value, Op::kCallFunction, "stand_in", {value}, {},
                                     "_stand_in");
      }
    }
    node->set_args({});
  }
}

void LongReaders::Restore() {
  // Arguments still name the values of before, which may be gone: only their addresses
  // are used.
  for (auto& [node, args] : readers_) {
    for (Argument& argument : args) {
      MapNodes(argument, [this](const Node* value) {
        return stand_ins_.at(value)->args()[0].AsNode();
      });
    }
    node->set_args(std::move(args));
  }
  for (const auto& [value, stand_in] : stand_ins_) graph_.Erase(stand_in);
  readers_.clear();
  stand_ins_.clear();
}

}  // namespace qconform
