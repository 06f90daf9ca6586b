#include "kernels/backend/code_check.h"
#include "kernels/pool/mean_plan.h"
#include "kernels/pool/plan.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  const std::string objection = CheckCodes(descriptor, scheme);
  if (!objection.empty()) return objection;
  // A maximum is rescaled by the scalar definition's own table.
  return descriptor.kind == QC_MAX_POOL ? "" : CheckRealScheme(scheme);
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
