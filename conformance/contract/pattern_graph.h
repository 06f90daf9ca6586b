// The smallest float graphs that a row of a backend config speaks about.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_PATTERN_GRAPH_H_
#define QCONFORM_CONFORMANCE_CONTRACT_PATTERN_GRAPH_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/ir/module.h"

namespace qconform {

// What stands around the pattern.
enum class Surroundings {
  kAlone,        // inputs, the pattern, output
  kChain,        // the pattern reads its own kind: what lies between is observed once
  kTwoReaders,   // two of the pattern read one input
  kSecondUser,   // the chain, and the value in between is returned as well
  kReuse,        // one module called twice
  kInnerUser,    // a value inside the pattern is returned as well: no match
  kSameOperand,  // all operands are one value
  kTwin,         // where any operand would do stands the pattern's other one again
  kScalar,       // the second operand is a number
  kNoTensors,    // all operands are numbers of a shape
  kKeyword,      // weight and bias by keyword
  kNoBias,       // a weighted operator without its bias
};

// "alone", "chain", "two_readers", ...
const char* SurroundingsName(Surroundings surroundings);

struct PatternGraph {
  GraphModule module;
  // One tensor a placeholder, for each batch; empty if the graph cannot be run.
  std::vector<std::vector<Tensor>> calibration;
  // The class stands only in graphs that are prepared for training.
  bool is_qat = false;
};

// Which of them differ from kAlone for this row, kAlone first. Throws as
// BuildPatternGraph.
std::vector<Surroundings> SurroundingsOf(const Pattern& pattern);

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
