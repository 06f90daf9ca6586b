// The operators that run on quantized tensors as they are, or have a quantized form of
// their own: neither weighted nor binary.
#ifndef QCONFORM_REFERENCE_NATIVE_SPECIAL_OPERATORS_H_
#define QCONFORM_REFERENCE_NATIVE_SPECIAL_OPERATORS_H_

#include <string>
#include <unordered_map>

#include "reference/ir/graph.h"

namespace qconform {

enum class SpecialKind {
  kNone,
  kFixedQparams,  // sigmoid and its like: the output's parameters are fixed
  kDefault,       // takes the output's parameters as arguments
  kCopy,          // the output has the input's parameters
  kShape,         // moves codes
  kOther,         // cat
};

using SpecialKinds = std::unordered_map<std::string, SpecialKind>;
const SpecialKinds& SpecialFunctions();
const SpecialKinds& SpecialMethods();
const SpecialKinds& SpecialModules();

// `module_type` is the class of the module that a call_module node calls.
// (is_fixed_qparams_node, is_default_node, is_copy_node, is_general_tensor_shape_node,
// is_other_node)
SpecialKind SpecialKindOf(const Node& node, const std::string& module_type);

// The quantized class for a module between dequantize and quantize; "" if the module
// itself takes quantized tensors. (SPECIAL_PATTERN_LOWER_MODULE_MAP)
std::string QuantizedClassOf(const std::string& module_type);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_SPECIAL_OPERATORS_H_
