#include "reference/native/static_pattern.h"

#include "reference/ir/error.h"

namespace qconform {

bool NeedsRelu(const Lowering& lowering, const StaticPattern& pattern) {
  if (lowering.mode == Mode::kTorch || pattern.relu == nullptr) return false;
  const std::vector<Argument>& args = pattern.quantize->args();
  const DType* dtype = args.size() > 3 ? args[3].As<DType>() : nullptr;
  return dtype == nullptr ||
         QparamsOf(lowering.module, *pattern.quantize).zero_point.IntegerAt(0) !=
             CodeRange(*dtype).min;
}

bool IsQuantizePerTensor(const Node& node) {
  return node.op() == Op::kCallFunction && node.target() == "torch.quantize_per_tensor";
}

bool HasNoneQConfig(const Lowering& lowering, const Node& node) {
  const auto found = lowering.qconfigs.nodes.find(node.name());
  return found != lowering.qconfigs.nodes.end() && found->second == nullptr;
}

StaticPattern MatchStaticPattern(Node* node, const Lowering& lowering,
                                 const CalledModules& modules,
                                 const OperatorTest& is_known,
                                 const std::vector<size_t>& dequantize_indices) {
  if (!IsQuantizePerTensor(*node)) return {};
  StaticPattern pattern;
  Node* operation = NodeArgument(*node, 0);
  const bool is_relu = (operation->op() == Op::kCallFunction &&
                        (operation->target() == "torch.nn.functional.relu" ||
                         operation->target() == "torch.relu")) ||
                       modules.TypeOf(operation) == "torch.nn.ReLU";
  if (is_relu) {
    pattern.relu = operation;
    operation = NodeArgument(*operation, 0);
  }
  if (HasNoneQConfig(lowering, *operation) || !is_known(*operation)) return {};
  bool has_dequantize = false;
  for (const size_t index : dequantize_indices) {
    if (index >= operation->args().size()) {
      throw PipelineError("AssertionError", "Dequantize index " + std::to_string(index) +
                                                " exceeded the arguments of " +
                                                operation->name());
    }
    const Argument& argument = operation->args()[index];
    if (IsDequantize(argument)) {
      has_dequantize = true;
    } else if (argument.AsNode() != nullptr) {
      return {};
    }
  }
  if (!has_dequantize) return {};
  pattern.quantize = node;
  pattern.operation = operation;
  return pattern;
}

}  // namespace qconform
