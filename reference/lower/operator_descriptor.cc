#include "reference/lower/operator_descriptor.h"

#include <cassert>

namespace qconform {

std::optional<qc_dtype> AbiDType(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return QC_F32;
    case DType::kUInt8:
    case DType::kQUInt8:
      return QC_U8;
    case DType::kInt8:
    case DType::kQInt8:
      return QC_S8;
    case DType::kInt32:
    case DType::kQInt32:
      return QC_S32;
    case DType::kFloat16:
      return QC_F16;
    case DType::kBFloat16:
      return QC_BF16;
    case DType::kInt16:
      return QC_S16;
    case DType::kUInt16:
      return QC_U16;
    case DType::kInt64:
      return QC_S64;
    case DType::kBool:
      return QC_BOOL;
    default:
      return std::nullopt;
  }
}

void OperatorDescriptor::Describe(const ProgramValue& value, View& view) {
  qc_tensor& tensor = view.tensor;
  tensor = {};
  tensor.size = sizeof(qc_tensor);
  const std::optional<qc_dtype> dtype = AbiDType(value.dtype);
  assert(dtype && value.shape.size() <= QC_MAX_RANK);
  tensor.dtype = *dtype;
  tensor.rank = static_cast<int32_t>(value.shape.size());
  tensor.quantized_axis = -1;
  auto stride = static_cast<int64_t>(ItemSize(value.dtype));
  for (size_t i = value.shape.size(); i-- > 0;) {
    tensor.shape[i] = value.shape[i];
    tensor.stride[i] = stride;
    stride *= value.shape[i];
  }
  if (!value.quantization) return;
  for (double scale : value.quantization->scale) {
    view.scale.push_back(static_cast<float>(scale));
  }
  for (double zero_point : value.quantization->zero_point) {
    if (value.float_zero_point) {
      view.zero_point_f32.push_back(static_cast<float>(zero_point));
    } else {
      view.zero_point.push_back(static_cast<int32_t>(zero_point));
    }
  }
  tensor.quantized_axis = value.quantization->axis;
  tensor.scale = view.scale.data();
  if (value.float_zero_point) {
    tensor.zero_point_f32 = view.zero_point_f32.data();
  } else {
    tensor.zero_point = view.zero_point.data();
  }
  tensor.qparam_count = static_cast<int64_t>(view.scale.size());
  tensor.quant_min = value.quant_min;
  tensor.quant_max = value.quant_max;
}

OperatorDescriptor::OperatorDescriptor(const Program& program,
                                       const ProgramOperator& step)
    : inputs_(step.inputs.size()), outputs_(step.outputs.size()) {
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i] < 0) {
      input_pointers_.push_back(nullptr);
      continue;
    }
    const ProgramValue& value = program.values[static_cast<size_t>(step.inputs[i])];
    Describe(value, inputs_[i]);
    input_pointers_.push_back(&inputs_[i].tensor);
    if (value.constant) SetInput(i, *value.constant);
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    Describe(program.values[static_cast<size_t>(step.outputs[i])], outputs_[i]);
    output_pointers_.push_back(&outputs_[i].tensor);
    const_output_pointers_.push_back(&outputs_[i].tensor);
  }
  descriptor_.size = sizeof(qc_descriptor);
  descriptor_.kind = step.kind;
  descriptor_.attributes = &step.attributes;
  descriptor_.inputs = input_pointers_.data();
  descriptor_.input_count = static_cast<int32_t>(input_pointers_.size());
  descriptor_.outputs = const_output_pointers_.data();
  descriptor_.output_count = static_cast<int32_t>(output_pointers_.size());
  descriptor_.scheme = step.scheme.c_str();
}

void OperatorDescriptor::SetInput(size_t index, const Tensor& tensor) {
  // The ABI has one struct for what is read and what is written.
  inputs_[index].tensor.data = const_cast<std::byte*>(tensor.bytes());
}

void OperatorDescriptor::SetOutput(size_t index, Tensor& tensor) {
  outputs_[index].tensor.data = tensor.bytes();
}

}  // namespace qconform
