// Functions that pick nodes out of a matched pattern, registered by name.
#ifndef QCONFORM_REFERENCE_MATCH_NODE_GETTER_H_
#define QCONFORM_REFERENCE_MATCH_NODE_GETTER_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/ir/graph.h"
#include "reference/ir/name_table.h"

namespace qconform {

// The nodes of a match, nested as its pattern is: a Node* or a Sequence.
using NodePattern = Argument;
using RootNodeGetter = std::function<Node*(const NodePattern&)>;
using ExtraInputsGetter = std::function<std::vector<Argument>(const NodePattern&)>;

// Follows the last element down to a node.
Node* DefaultRootNode(const NodePattern& pattern);

// torch's own; an Extension adds a user's.
NameTable<RootNodeGetter>& RootNodeGetters();
NameTable<ExtraInputsGetter>& ExtraInputsGetters();

// An empty name is the default. Throw InputError for an unknown name.
RootNodeGetter FindRootNodeGetter(const std::string& name);
ExtraInputsGetter FindExtraInputsGetter(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_NODE_GETTER_H_
