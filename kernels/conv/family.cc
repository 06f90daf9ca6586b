#include "kernels/backend/operator_plan.h"
#include "kernels/conv/plan.h"
#include "kernels/conv/real_plan.h"
#include "kernels/requantize/weighted_check.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor* weight = request.Constant(1);
  const bool has_bias = descriptor.input_count > 2 && descriptor.inputs[2] != nullptr;
  const qc_tensor* bias = has_bias ? request.Constant(2) : nullptr;
  if (weight == nullptr || (has_bias && bias == nullptr)) {
    reason = "weight and bias must be constants";
    return nullptr;
  }
  if (request.scheme == kRealSchemeName) {
    return RealWeightedPlan::Make(request, *weight, bias, reason);
  }
  return ConvPlan::Make(request, *weight, bias, reason);
}

}  // namespace

const KernelFamily& ConvFamily() {
  static constexpr KernelFamily kFamily{CheckWeighted, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
