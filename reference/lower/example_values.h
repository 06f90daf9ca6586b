// What every node of a graph is on the example inputs: the shapes, the codes' qparams,
// what is constant, and what is only a number that follows from shapes.
#ifndef QCONFORM_REFERENCE_LOWER_EXAMPLE_VALUES_H_
#define QCONFORM_REFERENCE_LOWER_EXAMPLE_VALUES_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/tensor.h"
#include "reference/ops/registry.h"

namespace qconform {

struct TensorDescription {
  DType dtype = DType::kFloat32;
  Shape shape;
  std::optional<QuantizationParameters> quantization;
};

enum class NodeRole {
  kTensor,      // one tensor, computed from inputs
  kSequence,    // several tensors, computed from inputs (chunk, split, LSTM)
  kConstant,    // a tensor that does not depend on inputs; value holds it
  kShapeValue,  // no tensor: follows from shapes alone; folded holds it
  kOutput,
};

struct NodeExample {
  NodeRole role = NodeRole::kTensor;
  std::vector<TensorDescription> tensors;  // one, or one a tensor of a sequence
  // Of a sequence: where each tensor stands, (y, (h, c)) as [0], [1, 0], [1, 1].
  std::vector<std::vector<int64_t>> places;
  std::optional<Tensor> value;
  Argument folded;
};

using NodeExamples = std::unordered_map<const Node*, NodeExample>;

// Runs the graph once. Throws InputError, naming the node, if it cannot be run or a
// node computes something other than tensors from data (item(), for instance).
NodeExamples TraceExample(const GraphModule& module, const std::vector<Tensor>& inputs,
                          const Registry& registry = Registry::BuiltIn());

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_EXAMPLE_VALUES_H_
