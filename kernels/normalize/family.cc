#include "kernels/backend/code_check.h"
#include "kernels/normalize/batch_norm.h"
#include "kernels/normalize/row_norm_plan.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  const std::string objection = CheckCodes(descriptor, scheme);
  if (!objection.empty()) return objection;
  if (descriptor.kind == QC_BATCH_NORM) return "";
  if (descriptor.attributes->activation > QC_ACTIVATION_CLAMP)
    return "only relu, relu6 and clamp can be fused";
  return CheckRealScheme(scheme);
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
