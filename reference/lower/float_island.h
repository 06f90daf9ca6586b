// Copies a run of float nodes into a graph of its own.
#ifndef QCONFORM_REFERENCE_LOWER_FLOAT_ISLAND_H_
#define QCONFORM_REFERENCE_LOWER_FLOAT_ISLAND_H_

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reference/lower/example_values.h"
#include "reference/lower/program.h"

namespace qconform {

class IslandWriter {
 public:
  // The nodes in graph order, each with the reason why it is float.
  IslandWriter(const GraphModule& reference, const NodeExamples& examples,
               const std::vector<std::pair<const Node*, std::string>>& nodes);

  // Nodes outside that the island reads, and nodes inside that others read; in order
  // of first use.
  const std::vector<const Node*>& inputs() const { return inputs_; }
  const std::vector<const Node*>& outputs() const { return outputs_; }

  // One placeholder an input (one an item for a sequence), named as the node; one
  // output item an output (or item of it). inputs and outputs of the island itself are
  // left empty.
  FloatIsland Write() const;

 private:
  using Copies = std::unordered_map<const Node*, Argument>;
  Copies AddPlaceholders(Graph& graph) const;
  Argument Translated(const Argument& argument, const Copies& copies) const;
  void CopyModule(const std::string& path, GraphModule& part) const;

  const GraphModule& reference_;
  const NodeExamples& examples_;
  const std::vector<std::pair<const Node*, std::string>>& nodes_;
  std::vector<const Node*> inputs_;
  std::vector<const Node*> outputs_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_FLOAT_ISLAND_H_
