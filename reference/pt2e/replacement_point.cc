#include "reference/pt2e/replacement_point.h"

#include <limits>

namespace qconform {

ReplacementPoint::ReplacementPoint(Graph& graph)
    : graph_(graph), nodes_(graph.NodePointers()) {
  positions_.reserve(nodes_.size());
  for (size_t index = 0; index < nodes_.size(); ++index) {
    positions_[nodes_[index]] = {index, std::numeric_limits<size_t>::max()};
  }
}

Node* ReplacementPoint::Of(const Node& replaced) const {
  Node* first = nullptr;
  for (Node* user : replaced.users()) {
    if (first == nullptr || positions_.at(user) < positions_.at(first)) first = user;
  }
  // A value that nobody reads is at least followed by the output.
  return first != nullptr ? first : nodes_[positions_.at(&replaced).first + 1];
}

Node* ReplacementPoint::Call(Node* point, const std::string& target,
                             std::vector<Argument> args, const std::string& name,
                             OrderedMap<Argument> kwargs) {
  Node* node = graph_.InsertBefore(point, Op::kCallFunction, target, std::move(args),
                                   std::move(kwargs), name);
  positions_[node] = {positions_.at(point).first, calls_++};
  return node;
}

}  // namespace qconform
