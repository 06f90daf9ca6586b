// What CONV and LINEAR share between check and plan.
#ifndef QCONFORM_KERNELS_CONV_WEIGHTED_FAMILY_H_
#define QCONFORM_KERNELS_CONV_WEIGHTED_FAMILY_H_

#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/conv/real_plan.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {

// Under a real scheme sums are real, whatever the operator; under the others its integer
// plan computes: IntegerPlan::Make(request, weight, bias, reason).
template <typename IntegerPlan>
std::unique_ptr<OperatorPlan> PlanWeighted(const PlanRequest& request,
                                           std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor* weight = request.Constant(1);
  const bool has_bias = descriptor.input_count > 2 && descriptor.inputs[2] != nullptr;
  const qc_tensor* bias = has_bias ? request.Constant(2) : nullptr;
  if (weight == nullptr || (has_bias && bias == nullptr)) {
    reason = "weight and bias must be constants";
    return nullptr;
  }
  if (request.scheme == kRealSchemeName)
    return RealWeightedPlan::Make(request, *weight, bias, reason);
  return IntegerPlan::Make(request, *weight, bias, reason);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_WEIGHTED_FAMILY_H_
