// Planned PRELU.
#ifndef QCONFORM_KERNELS_ACTIVATION_PRELU_H_
#define QCONFORM_KERNELS_ACTIVATION_PRELU_H_

#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"

namespace qconform::kernels {

// nullptr with a reason if the scalar definition does not compute.
std::unique_ptr<OperatorPlan> PlanPrelu(const PlanRequest& request, std::string& reason);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_PRELU_H_
