// dequantize -> operator (-> relu) -> quantize.
#ifndef QCONFORM_REFERENCE_NATIVE_STATIC_PATTERN_H_
#define QCONFORM_REFERENCE_NATIVE_STATIC_PATTERN_H_

#include <functional>
#include <vector>

#include "reference/native/lowering.h"

namespace qconform {

struct StaticPattern {
  Node* quantize = nullptr;  // nullptr: no match
  Node* relu = nullptr;      // nullptr: none
  Node* operation = nullptr;
};

// Whether the pass knows the node as its operator.
using OperatorTest = std::function<bool(const Node&)>;

// Matches backwards from `node`. The operator's arguments at `dequantize_indices` must be
// dequantize nodes or constants, at least one the former. An operator whose qconfig is
// None is left alone. Throws PipelineError("AssertionError") for an operator without one
// of these arguments. (_match_static_pattern)
StaticPattern MatchStaticPattern(Node* node, const Lowering& lowering,
                                 const CalledModules& modules,
                                 const OperatorTest& is_known,
                                 const std::vector<size_t>& dequantize_indices);

// Whether the relu of a pattern would be missed if it were left out, as torch does where
// the quantized operator has no form with a relu: the zero point is not the least code.
// Always false in torch mode.
bool NeedsRelu(const Lowering& lowering, const StaticPattern& pattern);

// torch.quantize_per_tensor as a call.
bool IsQuantizePerTensor(const Node& node);

// (should_skip_lowering)
bool HasNoneQConfig(const Lowering& lowering, const Node& node);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_STATIC_PATTERN_H_
