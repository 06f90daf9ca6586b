#include "kernels/backend/definition_plan.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {

DefinitionPlan::Owned::Owned(const qc_tensor& from) : tensor(from) {
  if (from.scale != nullptr) {
    scale.assign(from.scale, from.scale + from.qparam_count);
    tensor.scale = scale.data();
  }
  if (from.zero_point != nullptr) {
    zero_point.assign(from.zero_point, from.zero_point + from.qparam_count);
    tensor.zero_point = zero_point.data();
  }
}

DefinitionPlan::DefinitionPlan(const PlanRequest& request)
    : attributes_(*request.descriptor.attributes),
      scheme_(request.scheme),
      kind_(request.descriptor.kind) {
  const qc_descriptor& descriptor = request.descriptor;
  for (int i = 0; i < descriptor.input_count; ++i) {
    const qc_tensor* input = descriptor.inputs[i];
    inputs_.push_back(input == nullptr ? nullptr : std::make_unique<Owned>(*input));
  }
  for (int i = 0; i < descriptor.output_count; ++i)
    outputs_.push_back(std::make_unique<Owned>(*descriptor.outputs[i]));
}

void DefinitionPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                         void*) const {
  std::vector<qc_tensor> tensors;
  tensors.reserve(inputs_.size() + outputs_.size());
  std::vector<const qc_tensor*> in;
  std::vector<qc_tensor*> out;
  const auto with_data = [&](const Owned& owned, void* data) {
    tensors.push_back(owned.tensor);
    tensors.back().data = data;
    return &tensors.back();
  };
  for (size_t i = 0; i < inputs_.size(); ++i)
    in.push_back(inputs_[i] == nullptr ? nullptr
                                       : with_data(*inputs_[i], inputs[i]->data));
  for (size_t i = 0; i < outputs_.size(); ++i)
    out.push_back(with_data(*outputs_[i], outputs[i]->data));
  qc_descriptor descriptor = {};
  descriptor.size = sizeof descriptor;
  descriptor.kind = kind_;
  descriptor.attributes = &attributes_;
  descriptor.inputs = in.data();
  descriptor.input_count = static_cast<int32_t>(in.size());
  descriptor.outputs = out.data();
  descriptor.output_count = static_cast<int32_t>(out.size());
  descriptor.scheme = scheme_.c_str();
  if (RunScalarOperator(descriptor, in, out) != QC_OK)
    throw std::logic_error("the scalar definition refuses what it has accepted");
}

bool Fits32Bits(const qc_tensor& tensor, int first) {
  int64_t reach = 0;
  for (int i = first; i < tensor.rank; ++i) {
    if (tensor.shape[i] <= 1) continue;
    const int64_t stride = std::abs(tensor.stride[i]);
    if (stride > INT32_MAX ||
        tensor.shape[i] - 1 > INT32_MAX / std::max<int64_t>(stride, 1))
      return false;
    reach += (tensor.shape[i] - 1) * stride;
  }
  return reach <= INT32_MAX;
}

}  // namespace qconform::kernels
