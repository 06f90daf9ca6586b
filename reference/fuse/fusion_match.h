// Which nodes of a graph are fused together.
#ifndef QCONFORM_REFERENCE_FUSE_FUSION_MATCH_H_
#define QCONFORM_REFERENCE_FUSE_FUSION_MATCH_H_

#include <memory>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/config/mode_difference.h"
#include "reference/ir/module.h"
#include "reference/match/node_getter.h"

namespace qconform {

struct NodeFusion {
  Node* last = nullptr;
  const BackendConfig::Entry* entry = nullptr;
  // The innermost tuple of the pattern in which the node stands, as a list; the
  // last node's is the whole pattern.
  NodePattern nodes;
};

// By node name, in the order in which torch records them. Nodes that a wildcard
// matched are not recorded, and the first match of a node stands.
// (torch.ao.quantization.fx.fuse._find_matches) Strict mode skips an entry when a
// module of one of its nodes but the last is called more than once in the graph.
// Both report such an entry.
OrderedMap<NodeFusion> FindFusions(const GraphModule& module, const BackendConfig& config,
                                   Mode mode, ModeDifferences* differences = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSION_MATCH_H_
