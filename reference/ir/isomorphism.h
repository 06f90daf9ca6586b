// Equality of graphs up to the names of their nodes and the order of independent
// nodes.
#ifndef QCONFORM_REFERENCE_IR_ISOMORPHISM_H_
#define QCONFORM_REFERENCE_IR_ISOMORPHISM_H_

#include <optional>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

struct IsomorphismOptions {
  // Compare the module of every call_module and the tensor of every get_attr: types,
  // attributes, parameters and buffers to the bit. Off: only their paths.
  bool compare_modules = true;
  // Module and attribute paths may differ, one to one.
  bool ignore_paths = false;
};

struct GraphDifference {
  std::string text;
  // The node of each graph at which it shows; nullptr if it has none there.
  const Node* a = nullptr;
  const Node* b = nullptr;
};

// The first difference in words, in the node order of `a`; nullopt if there is none.
// Node names, scopes and meta are not compared. Placeholders are paired in order. Time is
// linear in the sizes of both.
std::optional<std::string> FindDifference(const GraphModule& a, const GraphModule& b,
                                          const IsomorphismOptions& options = {});
// The same with its nodes.
std::optional<GraphDifference> FindFirstDifference(
    const GraphModule& a, const GraphModule& b, const IsomorphismOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ISOMORPHISM_H_
