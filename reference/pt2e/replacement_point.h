// Where nodes that take another's place are put: before the first of its readers.
#ifndef QCONFORM_REFERENCE_PT2E_REPLACEMENT_POINT_H_
#define QCONFORM_REFERENCE_PT2E_REPLACEMENT_POINT_H_

#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

// Knows the order of a graph's nodes while passes put new ones in, without walking it
// again. (torch.fx.subgraph_rewriter inserts there, too)
class ReplacementPoint {
 public:
  explicit ReplacementPoint(Graph& graph);

  // The node that copies in place of `replaced` go in front of: the first of its users,
  // or what follows it if it has none.
  Node* Of(const Node& replaced) const;

  // A new call in front of `point`; `name` as the replacement calls it.
  Node* Call(Node* point, const std::string& target, std::vector<Argument> args,
             const std::string& name, OrderedMap<Argument> kwargs = {});

 private:
  // Place in the list, and the place among those that were put in front of it.
  using Position = std::pair<size_t, size_t>;

  Graph& graph_;
  std::vector<Node*> nodes_;
  std::unordered_map<const Node*, Position> positions_;
  size_t calls_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_REPLACEMENT_POINT_H_
