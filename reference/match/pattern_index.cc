#include "reference/match/pattern_index.h"

namespace qconform {

PatternIndex::PatternIndex(std::vector<const BackendConfig::Entry*> order)
    : order_(std::move(order)) {
  for (size_t i = 0; i < order_.size(); ++i) {
    const Pattern& head = order_[i]->key.Head();
    const auto add = [&](Op op) { by_head_[op][head.name()].push_back(i); };
    switch (head.kind()) {
      case Pattern::Kind::kMatchAll:
        any_.push_back(i);
        break;
      case Pattern::Kind::kModule:
        add(Op::kCallModule);
        break;
      case Pattern::Kind::kFunction:
        add(Op::kCallFunction);
        break;
      case Pattern::Kind::kMethod:
        add(Op::kCallMethod);
        break;
      case Pattern::Kind::kLiteral:
      case Pattern::Kind::kTuple:
        // No node equals a literal or a tuple.
        break;
    }
  }
}

const std::vector<size_t>& PatternIndex::Named(Op op, std::string_view name) const {
  static const std::vector<size_t> none;
  const auto heads = by_head_.find(op);
  if (heads == by_head_.end()) return none;
  const auto found = heads->second.find(name);
  return found == heads->second.end() ? none : found->second;
}

const BackendConfig::Entry* PatternIndex::FirstMatch(const ModuleTypes& types, Node& node,
                                                     const Accept& accept) const {
  const bool is_module = node.op() == Op::kCallModule;
  const std::vector<size_t>& named =
      Named(node.op(), is_module ? types(node.target()) : node.target());
  const Argument self(&node);
  // Both lists ascend: merge them.
  for (size_t i = 0, j = 0; i < named.size() || j < any_.size();) {
    const bool take_named = j == any_.size() || (i < named.size() && named[i] < any_[j]);
    const BackendConfig::Entry* entry = order_[take_named ? named[i++] : any_[j++]];
    if (IsMatch(types, self, entry->key) && (!accept || accept(*entry, node))) {
      return entry;
    }
  }
  return nullptr;
}

}  // namespace qconform
