// Plans of RESHAPE, TRANSPOSE, SLICE, PAD, PIXEL_SHUFFLE and PIXEL_UNSHUFFLE.
#ifndef QCONFORM_KERNELS_MOVEMENT_PLAN_H_
#define QCONFORM_KERNELS_MOVEMENT_PLAN_H_

#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"

namespace qconform::kernels {

std::unique_ptr<OperatorPlan> PlanMovement(const PlanRequest& request,
                                           std::string& reason);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_MOVEMENT_PLAN_H_
