#include "conformance/adapters/onnx/onnx_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {
namespace {

const NodeDefinitions& Definitions() {
  static const auto* definitions = [] {
    auto* all = new NodeDefinitions;
    AddElementwiseNodes(*all);
    AddWindowNodes(*all);
    AddMovementNodes(*all);
    AddReductionNodes(*all);
    return all;
  }();
  return *definitions;
}

void Round(Array& array) {
  if (array.dtype != DType::kFloat32) return;
  for (double& value : array.values) value = static_cast<float>(value);
}

}  // namespace

Array EmptyArray(DType dtype, Shape shape) {
  Array array{dtype, std::move(shape), {}};
  array.values.resize(static_cast<size_t>(NumElements(array.shape)));
  return array;
}

Array ArrayOf(const Tensor& tensor) {
  Array array = EmptyArray(tensor.dtype(), tensor.shape());
  for (int64_t i = 0; i < tensor.numel(); ++i)
    array.values[static_cast<size_t>(i)] = tensor.ValueAt(i);
  return array;
}

Tensor TensorOf(const Array& array) {
  const auto convert = [&]<typename T>(T) {
    std::vector<T> values;
    for (const double value : array.values) values.push_back(static_cast<T>(value));
    return Tensor::FromVector(array.dtype, array.shape, values);
  };
  switch (array.dtype) {
    case DType::kUInt8:
      return convert(uint8_t{});
    case DType::kInt8:
      return convert(int8_t{});
    case DType::kInt32:
      return convert(int32_t{});
    case DType::kInt64:
      return convert(int64_t{});
    default:
      return convert(float{});
  }
}

const Array* NodeCall::OptionalInput(size_t i) const {
  return i < inputs_.size() ? inputs_[i] : nullptr;
}

const Array& NodeCall::Input(size_t i) const {
  if (OptionalInput(i) == nullptr) Fail("input " + std::to_string(i) + " is missing");
  return *inputs_[i];
}

void NodeCall::Fail(const std::string& what) const {
  throw InputError("node '" + node_.name + "' of " + node_.op_type, what);
}

template <typename T>
const T* NodeCall::Find(const char* name) const {
  for (const OnnxAttribute& attribute : node_.attributes) {
    if (attribute.name != name) continue;
    const T* value = std::get_if<T>(&attribute.value);
    if (value == nullptr) Fail(std::string("attribute ") + name + " is of another kind");
    return value;
  }
  return nullptr;
}

int64_t NodeCall::Integer(const char* name, int64_t fallback) const {
  const auto* value = Find<int64_t>(name);
  return value == nullptr ? fallback : *value;
}

float NodeCall::Real(const char* name, float fallback) const {
  const auto* value = Find<float>(name);
  return value == nullptr ? fallback : *value;
}

std::string NodeCall::Text(const char* name, const char* fallback) const {
  const auto* value = Find<std::string>(name);
  return value == nullptr ? fallback : *value;
}

std::vector<int64_t> NodeCall::Integers(const char* name,
                                        std::vector<int64_t> fallback) const {
  const auto* value = Find<std::vector<int64_t>>(name);
  return value == nullptr ? fallback : *value;
}

int64_t BroadcastPlace(const Shape& shape, const std::vector<int64_t>& index) {
  int64_t place = 0;
  const size_t offset = index.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    place = place * shape[i] + (shape[i] == 1 ? 0 : index[offset + i]);
  return place;
}

double SaturatedCode(double value, DType dtype) {
  const IntegerRange range = CodeRange(dtype);
  return std::clamp(value, static_cast<double>(range.min),
                    static_cast<double>(range.max));
}

std::vector<Tensor> EvaluateOnnx(const OnnxModel& model,
                                 const std::vector<Tensor>& inputs) {
  if (inputs.size() != model.inputs.size())
    throw InputError(model.name, std::to_string(inputs.size()) + " inputs",
                     std::to_string(model.inputs.size()));
  std::unordered_map<std::string, Array> arrays;
  for (const auto& [name, tensor] : model.initializers) arrays[name] = ArrayOf(tensor);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const OnnxValue& value = model.inputs[i];
    if (inputs[i].dtype() != value.dtype || inputs[i].shape() != value.shape)
      throw InputError(value.name, "input of another dtype or shape", "the model's");
    arrays[value.name] = ArrayOf(inputs[i]);
  }
  for (const OnnxNode& node : model.nodes) {
    const auto found = Definitions().find(node.op_type);
    if (found == Definitions().end() || node.outputs.size() != 1)
      throw InputError("node '" + node.name + "'", "operator " + node.op_type,
                       "one that qconform writes, with one output");
    std::vector<const Array*> operands;
    for (const std::string& input : node.inputs)
      operands.push_back(input.empty() ? nullptr : &arrays.at(input));
    Array result = found->second(NodeCall(node, std::move(operands)));
    Round(result);
    arrays[node.outputs[0]] = std::move(result);
  }
  std::vector<Tensor> outputs;
  for (const OnnxValue& value : model.outputs)
    outputs.push_back(TensorOf(arrays.at(value.name)));
  return outputs;
}

}  // namespace qconform
