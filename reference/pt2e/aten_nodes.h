// Which ATen operators the passes on exported programs look for.
#ifndef QCONFORM_REFERENCE_PT2E_ATEN_NODES_H_
#define QCONFORM_REFERENCE_PT2E_ATEN_NODES_H_

#include <string>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

bool IsCall(const Node& node, const char* target);

// Convolutions over 1 to 3 dimensions, with numbers or a word for the padding.
bool IsAtenConv(const Node& node);
bool IsAtenConvTranspose(const Node& node);
bool IsAtenLinear(const Node& node);

// Batch norms in any of the forms that torch.export makes. (_is_bn_node)
bool IsAtenBatchNorm(const Node& node);

bool IsDecomposedQuantize(const Node& node);
bool IsDecomposedDequantize(const Node& node);
bool IsSymbolicSize(const Node& node);

// The users that read values, not sizes. (_filter_sym_size_users)
std::vector<Node*> ValueUsers(const Node& node);

// Argument `position` of a call, None if it is not there.
Argument ArgumentAt(const Node& node, size_t position);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_ATEN_NODES_H_
