// Which nodes of a reference graph enter and leave codes, in either of torch's
// spellings: torch.quantize_per_tensor with get_attr parameters, or
// quantized_decomposed.quantize_per_tensor with literals.
#ifndef QCONFORM_REFERENCE_LOWER_QUANTIZE_NODES_H_
#define QCONFORM_REFERENCE_LOWER_QUANTIZE_NODES_H_

#include <optional>

#include "reference/ir/graph.h"
#include "reference/ir/tensor.h"

namespace qconform {

// Static, per tensor or per channel.
bool IsQuantizeNode(const Node& node);
bool IsDequantizeNode(const Node& node);

// torch.quantize_per_tensor_dynamic: parameters are chosen as it runs.
bool IsDynamicQuantizeNode(const Node& node);

// The first argument of either. nullptr if it is no node.
const Node* QuantizedInput(const Node& node);

// The parameters that a decomposed per tensor quantize node spells out; nullopt for
// every other node.
std::optional<QuantizationParameters> LiteralQuantization(const Node& node);

// quant_min and quant_max of a decomposed node; nullopt where the dtype's whole range
// is meant.
struct LiteralCodeBounds {
  int32_t min;
  int32_t max;
};
std::optional<LiteralCodeBounds> LiteralBounds(const Node& node);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_QUANTIZE_NODES_H_
