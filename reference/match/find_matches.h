// Which entry of a backend config matches which nodes of a graph.
#ifndef QCONFORM_REFERENCE_MATCH_FIND_MATCHES_H_
#define QCONFORM_REFERENCE_MATCH_FIND_MATCHES_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/match/node_getter.h"

namespace qconform {

struct QuantizationMatch {
  Node* last = nullptr;
  // [node], [relu, add], [relu, (bn, conv)]; the bare node for custom and
  // standalone modules.
  NodePattern nodes;
  // The entry that matched; nullptr for custom and standalone modules.
  const BackendConfig::Entry* entry = nullptr;
  Node* root = nullptr;
  // Positional arguments of the root that are nodes with tensors.
  int num_tensor_args = 0;
  std::optional<ObservationType> observation_type;
  bool is_custom_module = false;
  bool is_standalone_module = false;
};

// By node name; every node of a match points at the same one. In the order in
// which torch inserts: matches from the last node of the graph to the first, and
// in a match its nodes as they nest. A node that a later match covers again
// keeps its place and points at the later match.
using MatchMap = OrderedMap<std::shared_ptr<const QuantizationMatch>>;

struct MatchOptions {
  std::set<std::string> standalone_module_names;
  std::set<std::string> standalone_module_classes;
  std::set<std::string> custom_module_classes;
  // A pattern (getattr, name) that matches: torch raises IndexError, strict mode takes
  // it.
  Mode mode = Mode::kTorch;
};

// torch.ao.quantization.fx.match_utils._find_matches. The result points into
// `module` and `config`. Throws PipelineError as torch does.
MatchMap FindMatches(GraphModule& module, const BackendConfig& config,
                     const MatchOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_FIND_MATCHES_H_
