#include "reference/match/pattern_index.h"

namespace qconform {
namespace {

std::string HeadKey(Op op, const std::string& name) {
  return std::string(OpName(op)) + " " + name;
}

}  // namespace

PatternIndex::PatternIndex(std::vector<const BackendConfig::Entry*> order)
    : order_(std::move(order)) {
  for (size_t i = 0; i < order_.size(); ++i) {
    const Pattern& key = order_[i]->key;
    const Pattern& head = key.IsTuple() && !key.items().empty() ? key.items()[0] : key;
    switch (head.kind()) {
      case Pattern::Kind::kMatchAll:
        any_.push_back(i);
        break;
      case Pattern::Kind::kModule:
        by_head_[HeadKey(Op::kCallModule, head.name())].push_back(i);
        break;
      case Pattern::Kind::kFunction:
        by_head_[HeadKey(Op::kCallFunction, head.name())].push_back(i);
        break;
      case Pattern::Kind::kMethod:
        by_head_[HeadKey(Op::kCallMethod, head.name())].push_back(i);
        break;
      case Pattern::Kind::kLiteral:
      case Pattern::Kind::kTuple:
        // No node equals a literal or a tuple.
        break;
    }
  }
}

const BackendConfig::Entry* PatternIndex::FirstMatch(const ModuleTypes& types, Node& node,
                                                     const Accept& accept) const {
  static const std::vector<size_t> none;
  const std::string name =
      node.op() == Op::kCallModule ? types(node.target()) : node.target();
  auto found = by_head_.find(HeadKey(node.op(), name));
  const std::vector<size_t>& named = found == by_head_.end() ? none : found->second;
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
