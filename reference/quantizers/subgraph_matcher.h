// Finding the places of a graph that look like a pattern graph.
// (torch.fx.passes.utils: SubgraphMatcher, SubgraphMatcherWithNameNodeMap)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_SUBGRAPH_MATCHER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_SUBGRAPH_MATCHER_H_

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/quantizers/pattern_graph.h"

namespace qconform {

struct SubgraphMatchOptions {
  // The output node is a part of the pattern: the graph must end where the pattern does.
  bool match_output = false;
  // Placeholders match placeholders only; else they match anything.
  bool match_placeholder = false;
  // Of matches that share a node the first stays.
  bool remove_overlapping = true;
  // Numbers, strings and None need not be equal.
  bool ignore_literals = false;
};

struct SubgraphMatch {
  // Pattern node -> what it matched, in the order of matching. A placeholder may stand
  // for a literal.
  std::vector<std::pair<const Node*, Argument>> nodes;
  // The pattern's names -> node of the graph; nullptr where a literal stands (no bias).
  OrderedMap<Node*> by_name;
};

class SubgraphMatcher {
 public:
  // Throws InputError for a pattern that is empty, has a node that nobody uses, or more
  // than kMaxPatternNodes nodes; the pattern outlives the matcher.
  explicit SubgraphMatcher(const PatternGraph& pattern,
                           SubgraphMatchOptions options = {});

  static constexpr size_t kMaxPatternNodes = 1000;

  // Matches are whole: what is inside is used inside only, but for what the pattern
  // returns; and they hold together: no path leaves one and comes back.
  // Time: for each candidate of the pattern's last node that of the pattern, plus the
  // nodes between its first and its last.
  std::vector<SubgraphMatch> Match(const Graph& graph) const;

 private:
  const PatternGraph& pattern_;
  SubgraphMatchOptions options_;
  std::vector<const Node*> returned_;
  std::vector<const Node*> anchors_;
};

// The matches of a named pattern: those of its graphs one after the other.
std::vector<SubgraphMatch> FindPattern(const NamedPattern& pattern, const Graph& graph,
                                       const SubgraphMatchOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_SUBGRAPH_MATCHER_H_
