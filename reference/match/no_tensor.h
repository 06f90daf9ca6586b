// Nodes that carry no tensor, such as sizes and shapes.
#ifndef QCONFORM_REFERENCE_MATCH_NO_TENSOR_H_
#define QCONFORM_REFERENCE_MATCH_NO_TENSOR_H_

#include <unordered_map>

#include "reference/ir/module.h"

namespace qconform {

// torch.ao.quantization.fx.utils.all_node_args_have_no_tensors, remembered per
// node so that a whole graph costs linear time.
class NoTensorRule {
 public:
  explicit NoTensorRule(const GraphModule& module) : module_(module) {}
  // Whether the node's value holds no tensor. Anything but a node: true.
  bool HasNoTensors(const Argument& argument);

 private:
  const GraphModule& module_;
  std::unordered_map<const Node*, bool> known_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_NO_TENSOR_H_
