#include "reference/ir/isomorphism.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/ir/module_difference.h"

namespace qconform {
namespace {

std::string Quote(const std::string& text) { return "'" + text + "'"; }

std::vector<const Node*> NodesOf(const Graph& graph, Op op) {
  std::vector<const Node*> nodes;
  for (const Node& node : graph.nodes()) {
    if (node.op() == op) nodes.push_back(&node);
  }
  return nodes;
}

// A graph is a directed acyclic graph whose edges are ordered by the arguments. So
// placeholders and outputs fix the counterpart of every node that an output reaches:
// walk from the outputs, pair the nodes at equal places of the arguments, and hold
// every pair one to one.
class Comparison {
 public:
  Comparison(const GraphModule& a, const GraphModule& b,
             const IsomorphismOptions& options)
      : a_(a), b_(b), options_(options) {
    for (const Node& node : a.graph.nodes()) position_.emplace(&node, position_.size());
  }

  std::optional<GraphDifference> Run() {
    PairAll(Op::kPlaceholder, "placeholders");
    PairAll(Op::kOutput, "outputs");
    Walk();
    // Past a difference the rest would be paired at random.
    if (first_ == kNone) PairUnreached();
    if (first_ == kNone) return std::nullopt;
    const auto partner = to_b_.find(first_node_);
    return GraphDifference{difference_, first_node_,
                           partner == to_b_.end() ? other_node_ : partner->second};
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  // Keeps the difference that stands first in a's order; without a node, at its end.
  void Differ(const Node* a, const std::string& text) {
    const size_t position = a == nullptr ? position_.size() : position_.at(a);
    if (position >= first_) return;
    first_ = position;
    first_node_ = a;
    difference_ = text;
  }

  void PairAll(Op op, const std::string& what) {
    const std::vector<const Node*> a = NodesOf(a_.graph, op);
    const std::vector<const Node*> b = NodesOf(b_.graph, op);
    if (a.size() != b.size()) {
      Differ(nullptr, "the graph has " + std::to_string(a.size()) + " " + what +
                          ", not " + std::to_string(b.size()));
    }
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) Pair(a[i], b[i], a[i]);
  }

  // `user` is the node of `a` at which a pair that does not hold shows.
  void Pair(const Node* a, const Node* b, const Node* user) {
    const auto forth = to_b_.find(a);
    const auto back = to_a_.find(b);
    if (forth == to_b_.end() && back == to_a_.end()) {
      to_b_.emplace(a, b);
      to_a_.emplace(b, a);
      pending_.emplace_back(a, b);
      return;
    }
    if (forth != to_b_.end() && forth->second == b) return;
    const std::string partner =
        forth != to_b_.end() ? Quote(forth->second->name()) : "a node of its own";
    Differ(user, "node " + Quote(user->name()) + ": uses " + Quote(a->name()) +
                     ", which corresponds to " + partner + ", not to " +
                     Quote(b->name()));
  }

  void Walk() {
    while (!pending_.empty()) {
      const auto [a, b] = pending_.back();
      pending_.pop_back();
      Compare(*a, *b);
    }
  }

  // Nodes that no output reaches, in order.
  void PairUnreached() {
    auto other = b_.graph.nodes().begin();
    const auto end = b_.graph.nodes().end();
    for (const Node& node : a_.graph.nodes()) {
      if (to_b_.count(&node) > 0) continue;
      while (other != end && to_a_.count(&*other) > 0) ++other;
      if (other == end) {
        Differ(&node, "node " + Quote(node.name()) + " has no counterpart");
        return;
      }
      Pair(&node, &*other, &node);
      Walk();
    }
    while (other != end && to_a_.count(&*other) > 0) ++other;
    if (other != end) {
      other_node_ = &*other;
      Differ(nullptr, "the other's node " + Quote(other->name()) + " has no counterpart");
    }
  }

  void Compare(const Node& a, const Node& b) {
    node_ = &a;
    names_ = a.name() == b.name() ? Quote(a.name())
                                  : Quote(a.name()) + " / " + Quote(b.name());
    if (a.op() != b.op()) {
      Differ(&a,
             "node " + names_ + ": op is " + OpName(a.op()) + ", not " + OpName(b.op()));
      return;
    }
    const bool is_path = a.op() == Op::kCallModule || a.op() == Op::kGetAttr;
    const bool is_named = a.op() == Op::kPlaceholder || a.op() == Op::kOutput;
    if (!is_named && !SameTarget(a, b, is_path)) {
      Differ(&a, "node " + names_ + ": " + TargetDifference(a, b, is_path));
      return;
    }
    CompareArguments(a, b);
    if (is_path && options_.compare_modules) CompareContents(a, b);
  }

  bool SameTarget(const Node& a, const Node& b, bool is_path) {
    if (!is_path || !options_.ignore_paths) return a.target() == b.target();
    return path_to_b_.emplace(a.target(), b.target()).first->second == b.target() &&
           path_to_a_.emplace(b.target(), a.target()).first->second == a.target();
  }

  // Of targets that SameTarget tells apart: paths that may differ break a pairing that
  // another node made.
  std::string TargetDifference(const Node& a, const Node& b, bool is_path) const {
    if (!is_path || !options_.ignore_paths) {
      return "target is " + Quote(a.target()) + ", not " + Quote(b.target());
    }
    const std::string& partner = path_to_b_.at(a.target());
    if (partner != b.target()) {
      return "path " + Quote(a.target()) + " stands for the other's " + Quote(partner) +
             " elsewhere, here for " + Quote(b.target());
    }
    return "the other's path " + Quote(b.target()) + " stands for " +
           Quote(path_to_a_.at(b.target())) + " elsewhere, here for " + Quote(a.target());
  }

  void CompareArguments(const Node& a, const Node& b) {
    if (a.args().size() != b.args().size()) {
      Differ(&a, "node " + names_ + ": has " + std::to_string(a.args().size()) +
                     " arguments, not " + std::to_string(b.args().size()));
    }
    for (size_t i = 0; i < std::min(a.args().size(), b.args().size()); ++i) {
      CompareArgument(a.args()[i], b.args()[i], "argument " + std::to_string(i));
    }
    for (const auto& [key, value] : a.kwargs()) {
      const Argument* other = b.kwargs().Find(key);
      if (other == nullptr) {
        Differ(&a, "node " + names_ + ": only one has the argument " + Quote(key));
      } else {
        CompareArgument(value, *other, "argument " + Quote(key));
      }
    }
    for (const auto& [key, value] : b.kwargs()) {
      if (!a.kwargs().Contains(key)) {
        Differ(&a, "node " + names_ + ": only one has the argument " + Quote(key));
      }
    }
  }

  // As deep as an argument is nested, which the readers bound.
  void CompareArgument(const Argument& a, const Argument& b, const std::string& what) {
    if (a.AsNode() != nullptr && b.AsNode() != nullptr) {
      Pair(a.AsNode(), b.AsNode(), node_);
      return;
    }
    const auto* sequence_a = a.As<Sequence>();
    const auto* sequence_b = b.As<Sequence>();
    const auto* slice_a = a.As<Slice>();
    const auto* slice_b = b.As<Slice>();
    const auto* dictionary_a = a.As<Dictionary>();
    const auto* dictionary_b = b.As<Dictionary>();
    if (sequence_a != nullptr && sequence_b != nullptr &&
        sequence_a->is_tuple == sequence_b->is_tuple &&
        sequence_a->items.size() == sequence_b->items.size()) {
      CompareItems(sequence_a->items, sequence_b->items, what);
    } else if (slice_a != nullptr && slice_b != nullptr) {
      CompareItems(slice_a->bounds, slice_b->bounds, what);
    } else if (dictionary_a != nullptr && dictionary_b != nullptr &&
               dictionary_a->items.size() == dictionary_b->items.size()) {
      for (size_t i = 0; i < dictionary_a->items.size(); ++i) {
        const auto& [key_a, item_a] = dictionary_a->items[i];
        const auto& [key_b, item_b] = dictionary_b->items[i];
        CompareArgument(Argument(key_a), Argument(key_b), what + ", a key");
        CompareArgument(item_a, item_b, what + ", key " + Quote(key_a));
      }
    } else if (!SameConstant(a, b)) {
      Differ(node_, "node " + names_ + ": " + what + " is " + DescribeArgument(a) +
                        ", not " + DescribeArgument(b));
    }
  }

  void CompareItems(const std::vector<Argument>& a, const std::vector<Argument>& b,
                    const std::string& what) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      CompareArgument(a[i], b[i], what + ", item " + std::to_string(i));
    }
  }

  void CompareContents(const Node& a, const Node& b) {
    std::string difference;
    if (a.op() == Op::kCallModule) {
      const std::shared_ptr<Module> module_a = a_.FindModule(a.target());
      const std::shared_ptr<Module> module_b = b_.FindModule(b.target());
      if (!module_a || !module_b) {
        if (module_a || module_b) difference = "only one has the module";
      } else if (NotComparedYet(module_a.get(), module_b.get())) {
        difference = ModuleDifference(*module_a, *module_b);
      }
    } else {
      const Tensor* tensor_a = a_.FindTensor(a.target());
      const Tensor* tensor_b = b_.FindTensor(b.target());
      if (tensor_a == nullptr || tensor_b == nullptr) {
        if (tensor_a != tensor_b) difference = "only one reads a tensor";
      } else if (NotComparedYet(tensor_a, tensor_b)) {
        difference = TensorDifference(*tensor_a, *tensor_b);
        if (!difference.empty()) difference = "the tensor " + difference;
      }
    }
    if (!difference.empty()) Differ(&a, "node " + names_ + ": " + difference);
  }

  // A module that many nodes call is compared once.
  bool NotComparedYet(const void* a, const void* b) {
    const auto [found, is_new] = compared_.emplace(a, b);
    return is_new || found->second != b;
  }

  const GraphModule& a_;
  const GraphModule& b_;
  const IsomorphismOptions& options_;
  std::unordered_map<const Node*, size_t> position_;
  std::unordered_map<const Node*, const Node*> to_b_;
  std::unordered_map<const Node*, const Node*> to_a_;
  std::unordered_map<std::string, std::string> path_to_b_;
  std::unordered_map<std::string, std::string> path_to_a_;
  std::unordered_map<const void*, const void*> compared_;
  std::vector<std::pair<const Node*, const Node*>> pending_;
  const Node* node_ = nullptr;  // of a, and
  std::string names_;           // how to call it, while it is compared
  size_t first_ = kNone;
  const Node* first_node_ = nullptr;
  const Node* other_node_ = nullptr;  // of b, if it has no counterpart
  std::string difference_;
};

}  // namespace

std::optional<std::string> FindDifference(const GraphModule& a, const GraphModule& b,
                                          const IsomorphismOptions& options) {
  std::optional<GraphDifference> difference = FindFirstDifference(a, b, options);
  if (!difference) return std::nullopt;
  return std::move(difference->text);
}

std::optional<GraphDifference> FindFirstDifference(const GraphModule& a,
                                                   const GraphModule& b,
                                                   const IsomorphismOptions& options) {
  return Comparison(a, b, options).Run();
}

}  // namespace qconform
