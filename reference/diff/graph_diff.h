// What tells two graphs apart, up to the names of their nodes.
#ifndef QCONFORM_REFERENCE_DIFF_GRAPH_DIFF_H_
#define QCONFORM_REFERENCE_DIFF_GRAPH_DIFF_H_

#include <string>

#include "reference/ir/isomorphism.h"
#include "reference/ir/module.h"

namespace qconform {

// A node as a line: "conv1 = torch.nn.Conv2d [module conv1] (x)".
std::string NodeLine(const GraphModule& module, const Node& node);

// The first difference in words and its nodes as "<" and ">" lines, then how many nodes
// of which operation are gone or new; empty if the graphs are isomorphic with equal
// modules.
std::string DiffGraphs(const GraphModule& a, const GraphModule& b,
                       const IsomorphismOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_GRAPH_DIFF_H_
