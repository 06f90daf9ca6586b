#include "reference/numerics/describe.h"

#include "reference/numerics/abi_tensor.h"

namespace qconform {

qc_tensor DenseTensor(qc_dtype dtype, const std::vector<int64_t>& shape, void* data) {
  static constexpr float kOne = 1.0f;
  qc_tensor tensor{};
  tensor.size = sizeof tensor;
  tensor.dtype = dtype;
  tensor.rank = static_cast<int32_t>(shape.size());
  tensor.quantized_axis = -1;
  int64_t stride = ElementBytes(dtype);
  for (size_t i = shape.size(); i-- > 0;) {
    tensor.shape[i] = shape[i];
    tensor.stride[i] = stride;
    stride *= shape[i];
  }
  if (dtype != QC_F32) {
    tensor.scale = &kOne;
    tensor.qparam_count = 1;
  }
  tensor.data = data;
  return tensor;
}

qc_descriptor Descriptor(qc_operator_kind kind, const qc_attributes& attributes,
                         std::span<const qc_tensor* const> inputs,
                         std::span<const qc_tensor* const> outputs) {
  qc_descriptor descriptor{};
  descriptor.size = sizeof descriptor;
  descriptor.kind = kind;
  descriptor.attributes = &attributes;
  descriptor.inputs = inputs.data();
  descriptor.input_count = static_cast<int32_t>(inputs.size());
  descriptor.outputs = outputs.data();
  descriptor.output_count = static_cast<int32_t>(outputs.size());
  return descriptor;
}

}  // namespace qconform
