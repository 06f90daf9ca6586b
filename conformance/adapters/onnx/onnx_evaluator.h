// Computes ONNX models by the words of ONNX's own specification of opset 17 and by
// nothing of reference/numerics: a second opinion on what the exporter writes, and the
// command behind `exec:` where no other runtime is installed.
//
// Every element is a double while a node computes; float32 results are rounded once.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ONNX_ONNX_EVALUATOR_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ONNX_ONNX_EVALUATOR_H_

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/formats/onnx_model.h"

namespace qconform {

// A tensor with its elements as doubles, row-major.
struct Array {
  DType dtype = DType::kFloat32;
  Shape shape;
  std::vector<double> values;

  int64_t size() const { return static_cast<int64_t>(values.size()); }
};

Array ArrayOf(const Tensor& tensor);
Tensor TensorOf(const Array& array);
Array EmptyArray(DType dtype, Shape shape);  // of zeros

// One node while it is computed. Accessors throw InputError that names the node.
class NodeCall {
 public:
  NodeCall(const OnnxNode& node, std::vector<const Array*> inputs)
      : node_(node), inputs_(std::move(inputs)) {}

  const Array& Input(size_t i) const;
  const Array* OptionalInput(size_t i) const;  // nullptr: absent
  size_t input_count() const { return inputs_.size(); }
  int64_t Integer(const char* name, int64_t fallback) const;
  float Real(const char* name, float fallback) const;
  std::string Text(const char* name, const char* fallback) const;
  std::vector<int64_t> Integers(const char* name, std::vector<int64_t> fallback) const;
  [[noreturn]] void Fail(const std::string& what) const;
  const std::string& op_type() const { return node_.op_type; }

 private:
  template <typename T>
  const T* Find(const char* name) const;

  const OnnxNode& node_;
  std::vector<const Array*> inputs_;
};

using NodeDefinition = std::function<Array(const NodeCall&)>;
using NodeDefinitions = std::unordered_map<std::string, NodeDefinition>;
void AddElementwiseNodes(NodeDefinitions& nodes);
void AddWindowNodes(NodeDefinitions& nodes);
void AddMovementNodes(NodeDefinitions& nodes);
void AddReductionNodes(NodeDefinitions& nodes);

// One tensor for each output of the model. Throws InputError for inputs that are not the
// model's, and for an operator that the exporter does not write.
std::vector<Tensor> EvaluateOnnx(const OnnxModel& model,
                                 const std::vector<Tensor>& inputs);

// Shared pieces.
// The element of a row-major array at `index`, broadcast from the right.
int64_t BroadcastPlace(const Shape& shape, const std::vector<int64_t>& index);
// Calls visit(index) for every index of the shape in row-major order.
template <typename Visit>
void ForEachIndex(const Shape& shape, const Visit& visit) {
  if (NumElements(shape) == 0) return;
  std::vector<int64_t> index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}
// Saturated to the codes of `dtype`.
double SaturatedCode(double value, DType dtype);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ONNX_ONNX_EVALUATOR_H_
