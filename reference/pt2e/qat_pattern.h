// What the two rewrites of QAT convolutions have in common.
#ifndef QCONFORM_REFERENCE_PT2E_QAT_PATTERN_H_
#define QCONFORM_REFERENCE_PT2E_QAT_PATTERN_H_

#include <string>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

// An operator whose batch norm training knows.
struct QatConvolution {
  const char* target;  // "aten.conv2d.default"
  const char* name;    // of the node that replaces it: "conv2d"
  size_t rank;         // of the weight
  bool is_transposed;
};

// In torchao's order.
const std::vector<QatConvolution>& QatConvolutions();

// [1, ..., -1, ..., 1]
Argument ShapeAlong(size_t rank, size_t axis);

// Whether every user of the node is among those nodes.
bool IsReadOnlyBy(const Node& node, const std::vector<const Node*>& readers);

// torchao's patterns fix these.
inline constexpr double kPatternEpsilon = 1e-5;
inline constexpr double kPatternMomentum = 0.1;

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_QAT_PATTERN_H_
