#include "conformance/adapters/onnxruntime/model_session.h"

#include <memory>

namespace qconform::onnxruntime {
namespace {

using Api = RuntimeApi;

// onnx.proto, TensorProto.DataType.
int TypeOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return 1;
    case DType::kUInt8:
      return 2;
    case DType::kInt8:
      return 3;
    case DType::kInt32:
      return 6;
    case DType::kInt64:
      return 7;
    default:
      throw RuntimeError("no tensors of " + std::string(DTypeName(dtype)));
  }
}

}  // namespace

ModelSession::ModelSession(const OnnxModel& model, int threads, bool exact)
    : api_(RuntimeApi::Get()),
      session_(api_.StartSession(OnnxModelBytes(model), threads, exact)) {
  for (const OnnxValue& input : model.inputs) input_names_.push_back(input.name);
  for (const OnnxValue& output : model.outputs) {
    output_names_.push_back(output.name);
    outputs_.emplace_back(output.dtype, output.shape);
  }
  for (const std::string& name : input_names_) input_texts_.push_back(name.c_str());
  for (const std::string& name : output_names_) output_texts_.push_back(name.c_str());
  for (Tensor& output : outputs_) output_values_.push_back(Wrap(output));
}

ModelSession::~ModelSession() {
  for (const std::vector<Value*>* values : {&input_values_, &output_values_})
    for (Value* value : *values) api_.Release<Api::kReleaseValue>(value);
  api_.Release<Api::kReleaseSession>(session_);
}

Value* ModelSession::Wrap(Tensor& tensor) const {
  Value* value = nullptr;
  void* data = tensor.bytes();
  api_.Call<Api::kCreateTensorWithDataAsOrtValue>(
      static_cast<const MemoryInfo*>(api_.memory_info()), data, tensor.byte_size(),
      tensor.shape().data(), tensor.shape().size(), TypeOf(tensor.dtype()), &value);
  return value;
}

void ModelSession::Run(const std::vector<const Tensor*>& inputs) {
  // onnxruntime does not write its inputs.
  for (size_t i = input_values_.size(); i < inputs.size(); ++i)
    input_values_.push_back(Wrap(const_cast<Tensor&>(*inputs[i])));
  api_.Call<Api::kRun>(session_, static_cast<const RunOptions*>(nullptr),
                       static_cast<const char* const*>(input_texts_.data()),
                       const_cast<const Value* const*>(input_values_.data()),
                       input_values_.size(),
                       static_cast<const char* const*>(output_texts_.data()),
                       output_texts_.size(), output_values_.data());
}

}  // namespace qconform::onnxruntime
