// The part of a graph that makes one value from the module's own tensors.
#ifndef QCONFORM_REFERENCE_CONVERT_PRODUCER_GRAPH_H_
#define QCONFORM_REFERENCE_CONVERT_PRODUCER_GRAPH_H_

#include <vector>

#include "reference/ir/module.h"

namespace qconform {

// The node and what it is made of, consumers first; a node that is reached twice
// stands twice. Empty if a graph input is among them. Nodes inside lists are not
// followed, as torch does not. (collect_producer_nodes)
std::vector<const Node*> ProducersOf(const Node* value);

// A graph of these nodes alone, over the same modules and tensors; its output is the
// first of them. Throws PipelineError("KeyError") if one of them reads a node that is
// not among them. (graph_module_from_producer_nodes)
GraphModule GraphOfProducers(const GraphModule& module, std::vector<const Node*> nodes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_PRODUCER_GRAPH_H_
