#include "kernels/normalize/batch_norm.h"
#include "kernels/normalize/row_norm_plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  if (!IsCode8(x) || x.quantized_axis >= 0) return "the input is not u8 or s8 per tensor";
  if (!IsCode8(y) || y.quantized_axis >= 0)
    return "the output is not u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  if (descriptor.kind == QC_BATCH_NORM) return "";
  if (descriptor.attributes->activation > QC_ACTIVATION_CLAMP)
    return "only relu, relu6 and clamp can be fused";
  if (scheme != kRealSchemeName) return std::string("the scheme is ") + kRealSchemeName;
  return "";
}

std::unique_ptr<OperatorPlan> Make(const PlanRequest& request, std::string& reason) {
  if (request.descriptor.kind == QC_BATCH_NORM) return PlanBatchNorm(request, reason);
  return RowNormPlan::Make(request, reason);
}

}  // namespace

const KernelFamily& NormalizeFamily() {
  static constexpr KernelFamily kFamily{Check, Make};
  return kFamily;
}

}  // namespace qconform::kernels
