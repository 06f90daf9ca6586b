#include "reference/quantizers/subgraph_matcher.h"

#include <algorithm>
#include <unordered_set>

#include "reference/ir/error.h"
#include "reference/quantizers/operator_signature.h"

namespace qconform {
namespace {

using Map = std::unordered_map<const Node*, Argument>;

// One attempt: a pattern's anchors against nodes of a graph.
class Attempt {
 public:
  explicit Attempt(const SubgraphMatchOptions& options) : options_(options) {}

  // As deep as the pattern is long, which is bounded.
  bool MatchNodes(const Node* pattern, Node* node) {
    if (const auto found = map_.find(pattern); found != map_.end()) {
      return found->second.AsNode() == node;
    }
    if (taken_.contains(node) || !AreEqual(*pattern, *node)) return false;
    Add(pattern, Argument(node));
    if (pattern->op() == Op::kPlaceholder) return true;
    return MatchCalls(*pattern, *node);
  }

  bool AreEqual(const Node& pattern, const Node& node) const {
    if (!options_.match_placeholder && pattern.op() == Op::kPlaceholder) return true;
    if (pattern.op() != node.op()) return false;
    switch (pattern.op()) {
      case Op::kPlaceholder:
      case Op::kOutput:
      // Any tensor is as good as another.
      case Op::kGetAttr:
        return true;
      default:
        return pattern.target() == node.target();
    }
  }

  const std::vector<std::pair<const Node*, Argument>>& nodes() const { return nodes_; }
  const Map& map() const { return map_; }

 private:
  void Add(const Node* pattern, Argument value) {
    if (Node* node = value.AsNode()) taken_.insert(node);
    map_[pattern] = value;
    nodes_.emplace_back(pattern, std::move(value));
  }

  static bool SameKeys(const Node& a, const Node& b) {
    return std::equal(a.kwargs().begin(), a.kwargs().end(), b.kwargs().begin(),
                      b.kwargs().end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
  }

  bool MatchCalls(const Node& pattern, const Node& node) {
    if (pattern.args().size() == node.args().size() && SameKeys(pattern, node)) {
      std::vector<Argument> a = pattern.args();
      std::vector<Argument> b = node.args();
      for (const auto& [key, value] : pattern.kwargs()) a.push_back(value);
      for (const auto& [key, value] : node.kwargs()) b.push_back(value);
      return MatchArguments(a, b);
    }
    const std::optional<std::vector<Argument>> a = AllArguments(pattern);
    const std::optional<std::vector<Argument>> b = AllArguments(node);
    return pattern.op() == Op::kCallFunction && a && b && MatchArguments(*a, *b);
  }

  bool MatchArguments(const std::vector<Argument>& a, const std::vector<Argument>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      const auto* left = a[i].As<Sequence>();
      const auto* right = b[i].As<Sequence>();
      bool matched = false;
      if (a[i].AsNode() != nullptr && b[i].AsNode() != nullptr) {
        matched = MatchNodes(a[i].AsNode(), b[i].AsNode());
      } else if (left != nullptr && right != nullptr) {
        matched = MatchArguments(left->items, right->items);
      } else {
        matched = MatchLiteral(a[i], b[i]) || options_.ignore_literals;
      }
      if (!matched) return false;
    }
    return true;
  }

  bool MatchLiteral(const Argument& a, const Argument& b) {
    const Node* pattern = a.AsNode();
    if (pattern == nullptr) return b.AsNode() == nullptr && a == b;
    if (pattern->op() != Op::kPlaceholder) return false;
    if (const auto found = map_.find(pattern); found != map_.end()) {
      return found->second == b;
    }
    Add(pattern, b);
    return true;
  }

  const SubgraphMatchOptions& options_;
  Map map_;
  std::unordered_set<const Node*> taken_;
  std::vector<std::pair<const Node*, Argument>> nodes_;
};

// The nodes of the graph that a match computes with.
std::vector<Node*> ComputingNodes(const SubgraphMatch& match) {
  std::vector<Node*> nodes;
  for (const auto& [pattern, value] : match.nodes) {
    if (pattern->op() == Op::kPlaceholder || pattern->op() == Op::kOutput) continue;
    if (Node* node = value.AsNode()) nodes.push_back(node);
  }
  return nodes;
}

// Whether a path leaves the nodes and comes back: such nodes cannot be run as one.
bool FormsCycle(const std::vector<Node*>& nodes,
                const std::unordered_map<const Node*, size_t>& positions) {
  const std::unordered_set<const Node*> inside(nodes.begin(), nodes.end());
  size_t last = 0;
  std::vector<const Node*> open;
  std::unordered_set<const Node*> seen;
  const auto visit = [&](const Node* user) {
    if (positions.at(user) <= last && seen.insert(user).second) open.push_back(user);
  };
  for (const Node* node : nodes) last = std::max(last, positions.at(node));
  for (const Node* node : nodes) {
    for (const Node* user : node->users()) {
      if (!inside.contains(user)) visit(user);
    }
  }
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (inside.contains(node)) return true;
    // Nothing behind the last node comes back.
    for (const Node* user : node->users()) visit(user);
  }
  return false;
}

bool IsContained(const SubgraphMatch& match, const std::vector<const Node*>& returned) {
  std::unordered_set<const Node*> inside;
  for (const auto& [pattern, value] : match.nodes) {
    if (pattern->op() == Op::kPlaceholder) continue;
    if (const Node* node = value.AsNode()) inside.insert(node);
  }
  for (const auto& [pattern, value] : match.nodes) {
    const Node* node = value.AsNode();
    if (pattern->op() == Op::kPlaceholder || node == nullptr) continue;
    if (std::find(returned.begin(), returned.end(), pattern) != returned.end()) continue;
    for (const Node* user : node->users()) {
      if (!inside.contains(user)) return false;
    }
  }
  return true;
}

}  // namespace

SubgraphMatcher::SubgraphMatcher(const PatternGraph& pattern,
                                 SubgraphMatchOptions options)
    : pattern_(pattern), options_(options) {
  Graph& graph = *pattern.graph;
  const Node* output = graph.OutputNode();
  if (output == nullptr || graph.nodes().size() < 2) {
    throw InputError("pattern", "it has no node and output", "a graph that returns one");
  }
  if (graph.nodes().size() > kMaxPatternNodes) {
    throw InputError("pattern",
                     "it has " + std::to_string(graph.nodes().size()) + " nodes",
                     "at most " + std::to_string(kMaxPatternNodes));
  }
  for (const Node& node : graph.nodes()) {
    if (node.op() != Op::kOutput && node.op() != Op::kPlaceholder &&
        node.users().empty()) {
      throw InputError("pattern", "nobody uses its node " + node.name());
    }
  }
  for (const Node* node : output->InputNodes()) {
    returned_.push_back(node);
    if (!options_.match_output && node->users().size() == 1) anchors_.push_back(node);
  }
  if (options_.match_output) anchors_ = {output};
}

std::vector<SubgraphMatch> SubgraphMatcher::Match(const Graph& graph) const {
  std::unordered_map<const Node*, size_t> positions;
  std::vector<std::vector<Node*>> candidates(anchors_.size());
  const Attempt fresh(options_);
  for (const Node& node : graph.nodes()) {
    positions[&node] = positions.size();
    for (size_t i = 0; i < anchors_.size(); ++i) {
      if (fresh.AreEqual(*anchors_[i], node)) {
        candidates[i].push_back(const_cast<Node*>(&node));
      }
    }
  }
  std::vector<SubgraphMatch> matches;
  const auto finish = [&](const Attempt& attempt) {
    SubgraphMatch match;
    match.nodes = attempt.nodes();
    for (const auto& [name, node] : pattern_.names) {
      const auto found = attempt.map().find(node);
      match.by_name.Set(name,
                        found == attempt.map().end() ? nullptr : found->second.AsNode());
    }
    if (IsContained(match, returned_) && !FormsCycle(ComputingNodes(match), positions)) {
      matches.push_back(std::move(match));
    }
  };
  // Anchors one after the other, each against all its candidates.
  const auto search = [&](const auto& self, size_t anchor,
                          const Attempt& before) -> void {
    if (anchor == anchors_.size()) {
      finish(before);
      return;
    }
    for (Node* candidate : candidates[anchor]) {
      Attempt attempt = before;
      if (attempt.MatchNodes(anchors_[anchor], candidate)) {
        self(self, anchor + 1, attempt);
      }
    }
  };
  if (!anchors_.empty()) search(search, 0, fresh);
  if (!options_.remove_overlapping) return matches;
  std::unordered_set<const Node*> used;
  std::erase_if(matches, [&](const SubgraphMatch& match) {
    const std::vector<Node*> nodes = ComputingNodes(match);
    if (std::any_of(nodes.begin(), nodes.end(),
                    [&](const Node* node) { return used.contains(node); })) {
      return true;
    }
    used.insert(nodes.begin(), nodes.end());
    return false;
  });
  return matches;
}

std::vector<SubgraphMatch> FindPattern(const NamedPattern& pattern, const Graph& graph,
                                       const SubgraphMatchOptions& options) {
  std::vector<SubgraphMatch> all;
  for (const PatternGraph& shape : pattern.graphs) {
    std::vector<SubgraphMatch> found = SubgraphMatcher(shape, options).Match(graph);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace qconform
