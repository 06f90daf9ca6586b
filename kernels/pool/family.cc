#include "kernels/pool/mean_plan.h"
#include "kernels/pool/plan.h"
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
  // A maximum is rescaled by the scalar definition's own table.
  if (descriptor.kind != QC_MAX_POOL && scheme != kRealSchemeName)
    return std::string("the scheme is ") + kRealSchemeName;
  return "";
}

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string& reason) {
  return request.descriptor.kind == QC_MEAN ? MeanPlan::Make(request, reason)
                                            : PoolPlan::Make(request, reason);
}

}  // namespace

const KernelFamily& PoolFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
