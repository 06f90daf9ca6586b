#include "kernels/recurrent/gate_product.h"

#include "reference/numerics/describe.h"

namespace qconform::kernels {

bool GateProduct::Make(const PlanRequest& request, const qc_tensor* weight,
                       const qc_tensor* bias, int64_t rows, int threads,
                       std::string& reason) {
  const qc_attributes& layer = *request.descriptor.attributes;
  qc_attributes attributes = {};
  attributes.size = sizeof attributes;
  attributes.dynamic = layer.dynamic;
  attributes.reduce_range = layer.reduce_range;
  x_ = DenseTensor(QC_F32, {rows, weight->shape[1]}, nullptr);
  y_ = DenseTensor(QC_F32, {rows, weight->shape[0]}, nullptr);
  const qc_tensor* const inputs[] = {&x_, weight, bias};
  const qc_tensor* const constants[] = {nullptr, weight, bias};
  const qc_tensor* const outputs[] = {&y_};
  const qc_descriptor linear = Descriptor(QC_LINEAR, attributes, inputs, outputs);
  plan_ = LinearFamily().plan(
      {linear, constants, request.scheme, request.path, request.kernels, threads},
      reason);
  return plan_ != nullptr;
}

void GateProduct::Run(const float* x, float* y, void* workspace) const {
  qc_tensor from = x_, to = y_;
  from.data = const_cast<float*>(x);
  to.data = y;
  const qc_tensor* const inputs[] = {&from, nullptr, nullptr};
  qc_tensor* const outputs[] = {&to};
  plan_->Run(inputs, outputs, workspace);
}

}  // namespace qconform::kernels
