#include "reference/ir/graph.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace qconform {
namespace {

// Up to so many nodes are searched one by one.
constexpr size_t kScanned = 8;

// torch names a function node after __name__, the last part of a dotted name; of
// an operator overload ("aten.add.Tensor") after "add_tensor".
std::string Candidate(Op op, const std::string& target) {
  if (op != Op::kCallFunction) return CandidateName(target);
  for (const std::string_view prefix : {"aten.", "quantized_decomposed.", "prims."}) {
    if (target.starts_with(prefix)) {
      return CandidateName(target.substr(prefix.size()));
    }
  }
  const size_t dot = target.rfind('.');
  return CandidateName(dot == std::string::npos ? target : target.substr(dot + 1));
}

}  // namespace

const char* OpName(Op op) {
  switch (op) {
    case Op::kPlaceholder:
      return "placeholder";
    case Op::kGetAttr:
      return "get_attr";
    case Op::kCallFunction:
      return "call_function";
    case Op::kCallMethod:
      return "call_method";
    case Op::kCallModule:
      return "call_module";
    case Op::kOutput:
      return "output";
  }
  return "";
}

const std::vector<Node*>& Node::users() const {
  if (user_positions_ && users_.size() != user_positions_->size()) {
    std::erase(users_, nullptr);
    for (size_t i = 0; i < users_.size(); ++i) (*user_positions_)[users_[i]] = i;
  }
  return users_;
}

void Node::AddUser(Node* user) {
  if (user_positions_) {
    if (user_positions_->emplace(user, users_.size()).second) users_.push_back(user);
    return;
  }
  if (std::find(users_.begin(), users_.end(), user) != users_.end()) return;
  users_.push_back(user);
  if (users_.size() <= kScanned) return;
  user_positions_ = std::make_unique<Positions>();
  for (size_t i = 0; i < users_.size(); ++i) user_positions_->emplace(users_[i], i);
}

void Node::RemoveUser(Node* user) {
  if (!user_positions_) {
    std::erase(users_, user);
    return;
  }
  const auto found = user_positions_->find(user);
  if (found == user_positions_->end()) return;
  users_[found->second] = nullptr;
  user_positions_->erase(found);
}

template <typename Visit>
void Node::ForEachInput(const Visit& visit) const {
  for (const Argument& argument : args_) ForEachNode(argument, visit);
  for (const auto& [name, argument] : kwargs_) ForEachNode(argument, visit);
}

std::vector<Node*> Node::InputNodes() const {
  std::vector<Node*> inputs;
  std::unordered_set<Node*> seen;
  ForEachInput([&](Node* node) {
    // Few nodes have many inputs: the set is made for those.
    if (inputs.size() < kScanned) {
      if (std::find(inputs.begin(), inputs.end(), node) == inputs.end()) {
        inputs.push_back(node);
      }
      return;
    }
    if (seen.empty()) seen.insert(inputs.begin(), inputs.end());
    if (seen.insert(node).second) inputs.push_back(node);
  });
  return inputs;
}

void Node::Register() {
  ForEachInput([this](Node* input) { input->AddUser(this); });
}

void Node::Unregister() {
  ForEachInput([this](Node* input) { input->RemoveUser(this); });
}

void Node::set_args(std::vector<Argument> args) {
  Unregister();
  args_ = std::move(args);
  Register();
}

void Node::set_kwargs(OrderedMap<Argument> kwargs) {
  Unregister();
  kwargs_ = std::move(kwargs);
  Register();
}

void Node::set_arg(size_t index, Argument value) {
  Unregister();
  args_.at(index) = std::move(value);
  Register();
}

void Node::ReplaceInput(Node* from, Node* to) {
  Unregister();
  const auto replace = [&](Node* node) { return node == from ? to : node; };
  for (Argument& argument : args_) MapNodes(argument, replace);
  for (auto& [name, argument] : kwargs_) MapNodes(argument, replace);
  Register();
}

Graph& Graph::operator=(Graph&& other) noexcept {
  nodes_ = std::move(other.nodes_);
  names_ = std::move(other.names_);
  by_name_ = std::move(other.by_name_);
  for (Node& node : nodes_) node.graph_ = this;
  return *this;
}

std::vector<Node*> Graph::NodePointers() {
  std::vector<Node*> pointers;
  pointers.reserve(nodes_.size());
  for (Node& node : nodes_) pointers.push_back(&node);
  return pointers;
}

Node* Graph::Find(std::string_view name) {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const Node* Graph::Find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Node* Graph::OutputNode() {
  for (auto it = nodes_.rbegin(); it != nodes_.rend(); ++it) {
    if (it->op() == Op::kOutput) return &*it;
  }
  return nullptr;
}

Node* Graph::Insert(NodeList::iterator position, Op op, const std::string& target,
                    std::vector<Argument> args, OrderedMap<Argument> kwargs,
                    const std::string& candidate) {
  auto it = nodes_.insert(position, Node());
  Node* node = &*it;
  node->graph_ = this;
  node->op_ = op;
  node->target_ = target;
  node->name_ = names_.Create(candidate.empty() ? Candidate(op, target) : candidate);
  node->args_ = std::move(args);
  node->kwargs_ = std::move(kwargs);
  node->position_ = it;
  node->Register();
  by_name_.emplace(node->name_, node);
  return node;
}

Node* Graph::Append(Op op, const std::string& target, std::vector<Argument> args,
                    OrderedMap<Argument> kwargs, const std::string& candidate) {
  return Insert(nodes_.end(), op, target, std::move(args), std::move(kwargs), candidate);
}

Node* Graph::InsertBefore(Node* position, Op op, const std::string& target,
                          std::vector<Argument> args, OrderedMap<Argument> kwargs,
                          const std::string& candidate) {
  return Insert(position->position_, op, target, std::move(args), std::move(kwargs),
                candidate);
}

Node* Graph::InsertAfter(Node* position, Op op, const std::string& target,
                         std::vector<Argument> args, OrderedMap<Argument> kwargs,
                         const std::string& candidate) {
  return Insert(std::next(position->position_), op, target, std::move(args),
                std::move(kwargs), candidate);
}

void Graph::Erase(Node* node) {
  assert(node->users().empty());
  node->Unregister();
  by_name_.erase(node->name_);
  nodes_.erase(node->position_);
}

void Graph::ReplaceAllUses(Node* from, Node* to, bool keep_in_replacement) {
  const std::vector<Node*> users = from->users();
  for (Node* user : users) {
    if (!keep_in_replacement || user != to) user->ReplaceInput(from, to);
  }
}

void Graph::EliminateDeadCode() {
  for (auto it = nodes_.end(); it != nodes_.begin();) {
    --it;
    const bool pure = it->op() != Op::kPlaceholder && it->op() != Op::kOutput;
    if (pure && it->users().empty()) {
      it->Unregister();
      by_name_.erase(it->name_);
      it = nodes_.erase(it);
    }
  }
}

void Graph::CopyTo(Graph& target, std::unordered_map<const Node*, Node*>* mapping) const {
  std::unordered_map<const Node*, Node*> local;
  std::unordered_map<const Node*, Node*>& map = mapping != nullptr ? *mapping : local;
  const auto copied = [&](Node* node) { return map.at(node); };
  map.reserve(map.size() + nodes_.size());
  target.by_name_.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    std::vector<Argument> args = node.args_;
    OrderedMap<Argument> kwargs = node.kwargs_;
    for (Argument& argument : args) MapNodes(argument, copied);
    for (auto& [name, argument] : kwargs) MapNodes(argument, copied);
    Node* copy = target.Append(node.op_, node.target_, std::move(args), std::move(kwargs),
                               node.name_);
    copy->meta_ = node.meta_;
    map[&node] = copy;
  }
}

}  // namespace qconform
