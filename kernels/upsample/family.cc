#include "kernels/backend/code_check.h"
#include "kernels/upsample/interpolate_plan.h"
#include "kernels/upsample/nearest_plan.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  const std::string objection = CheckCodes(descriptor, scheme);
  if (!objection.empty()) return objection;
  // The nearest element is rescaled by the scalar definition's own table.
  return descriptor.attributes->interpolation == QC_INTERPOLATION_NEAREST
             ? ""
             : CheckRealScheme(scheme);
}

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string&) {
  if (request.descriptor.attributes->interpolation == QC_INTERPOLATION_NEAREST)
    return std::make_unique<NearestPlan>(request);
  return std::make_unique<InterpolatePlan>(request);
}

}  // namespace

const KernelFamily& UpsampleFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
