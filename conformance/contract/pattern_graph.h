// The smallest float graphs that a row of a backend config speaks about.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_PATTERN_GRAPH_H_
#define QCONFORM_CONFORMANCE_CONTRACT_PATTERN_GRAPH_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/contract/surroundings.h"
#include "reference/config/pattern.h"
#include "reference/ir/module.h"

namespace qconform {

struct PatternGraph {
  GraphModule module;
  // One tensor a placeholder, for each batch; empty if the graph cannot be run.
  std::vector<std::vector<Tensor>> calibration;
  // The class stands only in graphs that are prepared for training.
  bool is_qat = false;
};

// `pattern`: reversed and nested. `train`: for prepare_qat_fx. Classes of torch.ao.nn.qat
// become what they are swapped from. Throws InputError for a pattern of which no graph
// can be made.
PatternGraph BuildPatternGraph(const Pattern& pattern, Surroundings surroundings,
                               bool train = false);

// Modules of the pattern's first class, one after the other, at the given paths. For
// rules of a mapping. nullopt if the pattern is no module class that keeps its shape.
std::optional<PatternGraph> BuildModulePath(const Pattern& pattern,
                                            const std::vector<std::string>& paths);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_PATTERN_GRAPH_H_
