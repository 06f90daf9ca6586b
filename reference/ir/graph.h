// A graph of operations: torch.fx.Graph. Nodes stand in execution order; every
// node knows its users in the order in which they came to use it.
#ifndef QCONFORM_REFERENCE_IR_GRAPH_H_
#define QCONFORM_REFERENCE_IR_GRAPH_H_

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/ir/argument.h"
#include "reference/ir/name_space.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

class Graph;

enum class Op {
  kPlaceholder,
  kGetAttr,
  kCallFunction,
  kCallMethod,
  kCallModule,
  kOutput
};

// "placeholder", "get_attr", "call_function", "call_method", "call_module", "output"
const char* OpName(Op op);

class Node {
 public:
  const std::string& name() const { return name_; }
  Op op() const { return op_; }
  // Canonical public name of the function ("torch.nn.functional.relu",
  // "aten.conv2d.default"), method name, module path, or attribute path.
  const std::string& target() const { return target_; }
  void set_target(std::string target) { target_ = std::move(target); }
  const std::vector<Argument>& args() const { return args_; }
  const OrderedMap<Argument>& kwargs() const { return kwargs_; }
  // Replaces the arguments and keeps the users of all nodes right.
  void set_args(std::vector<Argument> args);
  void set_kwargs(OrderedMap<Argument> kwargs);
  void set_arg(size_t index, Argument value);
  // Nodes whose arguments hold this node; each once, in order of first use.
  const std::vector<Node*>& users() const;
  // Nodes in args, then in kwargs; each once, in order.
  std::vector<Node*> InputNodes() const;
  // Replaces `from` by `to` in this node's own arguments.
  void ReplaceInput(Node* from, Node* to);
  // Free-form text values that travel with the node and its copies.
  OrderedMap<Argument>& meta() { return meta_; }
  const OrderedMap<Argument>& meta() const { return meta_; }
  Graph* graph() const { return graph_; }

 private:
  friend class Graph;
  Node() = default;
  template <typename Visit>
  void ForEachInput(const Visit& visit) const;
  void Register();
  void Unregister();
  void AddUser(Node* user);
  void RemoveUser(Node* user);

  Graph* graph_ = nullptr;
  std::string name_;
  Op op_ = Op::kPlaceholder;
  std::string target_;
  std::vector<Argument> args_;
  OrderedMap<Argument> kwargs_;
  // In order of first use. Once there are many, removed users leave holes that users()
  // closes, so that rewriting a node with many users costs linear time.
  mutable std::vector<Node*> users_;
  using Positions = std::unordered_map<const Node*, size_t>;
  mutable std::unique_ptr<Positions> user_positions_;
  OrderedMap<Argument> meta_;
  std::list<Node>::iterator position_;
};

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  Graph(Graph&& other) noexcept { *this = std::move(other); }
  Graph& operator=(Graph&& other) noexcept;

  using NodeList = std::list<Node>;
  NodeList& nodes() { return nodes_; }
  const NodeList& nodes() const { return nodes_; }
  // A frozen list of the nodes in their present order.
  std::vector<Node*> NodePointers();
  // nullptr if there is none of that name.
  Node* Find(std::string_view name);
  const Node* Find(std::string_view name) const;
  // The last node of op output, or nullptr.
  Node* OutputNode();

  // Appends. `candidate` is made unique; empty derives it from the target.
  Node* Append(Op op, const std::string& target, std::vector<Argument> args = {},
               OrderedMap<Argument> kwargs = {}, const std::string& candidate = "");
  Node* InsertBefore(Node* position, Op op, const std::string& target,
                     std::vector<Argument> args = {}, OrderedMap<Argument> kwargs = {},
                     const std::string& candidate = "");
  // Directly after `position`: a second call puts its node before the first's.
  Node* InsertAfter(Node* position, Op op, const std::string& target,
                    std::vector<Argument> args = {}, OrderedMap<Argument> kwargs = {},
                    const std::string& candidate = "");
  // Precondition: no users. The name stays taken, as in torch.fx.
  void Erase(Node* node);
  // Every use of `from` becomes a use of `to`, except inside `to` itself when
  // `keep_in_replacement` is set. A rewritten user moves to the end of the users of
  // all its inputs, as in torch.fx.
  void ReplaceAllUses(Node* from, Node* to, bool keep_in_replacement = false);
  // Removes pure nodes without users, last to first; placeholders and outputs stay.
  void EliminateDeadCode();
  // Copies all nodes in order with their names into an empty graph, whose name
  // space knows only these. `mapping`, if given, receives old to new.
  void CopyTo(Graph& target,
              std::unordered_map<const Node*, Node*>* mapping = nullptr) const;

 private:
  Node* Insert(NodeList::iterator position, Op op, const std::string& target,
               std::vector<Argument> args, OrderedMap<Argument> kwargs,
               const std::string& candidate);

  NodeList nodes_;
  NameSpace names_;
  // The keys belong to the nodes.
  std::unordered_map<std::string_view, Node*> by_name_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_GRAPH_H_
