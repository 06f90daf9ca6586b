// The graph under lowering and its passes, in the order in which torch runs them.
#ifndef QCONFORM_REFERENCE_NATIVE_LOWERING_H_
#define QCONFORM_REFERENCE_NATIVE_LOWERING_H_

#include <string>
#include <unordered_map>

#include "reference/native/lower_to_native.h"
#include "reference/native/quantized_module.h"

namespace qconform {

struct Lowering {
  GraphModule& module;
  const LoweringQConfigs& qconfigs;
  const std::string& engine;
  Mode mode = Mode::kTorch;
};

// The modules that the graph calls, as they are when a pass begins: a module that is
// called twice is lowered twice from its reference module. (named_modules)
class CalledModules {
 public:
  explicit CalledModules(const GraphModule& module);
  // nullptr for a node that calls no module.
  const Module* Find(const Node* node) const;
  // "" for a node that calls no module.
  const std::string& TypeOf(const Node* node) const;

 private:
  std::unordered_map<std::string, std::shared_ptr<Module>> modules_;
};

// (_lower_static_weighted_ref_module)
void LowerStaticModules(const Lowering& lowering);
// ConvAdd2d and ConvAddReLU2d. (_lower_static_weighted_ref_module_with_two_inputs)
void LowerTwoInputModules(const Lowering& lowering);
// (_lower_dynamic_weighted_ref_module)
void LowerDynamicModules(const Lowering& lowering);
// (_lower_weight_only_weighted_ref_module)
void LowerWeightOnlyModules(const Lowering& lowering);
// (_lower_static_weighted_ref_functional)
void LowerStaticFunctions(const Lowering& lowering);
// (_lower_dynamic_weighted_ref_functional)
void LowerDynamicFunctions(const Lowering& lowering);
// (_lower_quantized_binary_op)
void LowerBinaryOperators(const Lowering& lowering);
// x.shape and x.size() read the quantized tensor. (_lower_getattr_tensor_metadta_op,
// _lower_get_tensor_info_op)
void LowerShapeQueries(const Lowering& lowering);
// (special_pattern_replacement)
void LowerSpecialPatterns(const Lowering& lowering);
// (fold_weight)
void FoldWeights(const Lowering& lowering);

// A method call of dequantize.
bool IsDequantize(const Argument& argument);

// The node's positional argument as a node. torch fails otherwise: IndexError without
// the argument, AssertionError if it is no node.
Node* NodeArgument(const Node& node, size_t index);

// Scale and zero point behind a quantize node's arguments.
OutputQparams QparamsOf(const GraphModule& module, const Node& quantize);

// Throws PipelineError("RuntimeError") if the node still has users, as torch.fx does.
void EraseNode(Graph& graph, Node* node);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_LOWERING_H_
