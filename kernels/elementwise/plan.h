// Planned arithmetic of two operands, broadcast as torch does, or of one and a number.
#ifndef QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
#define QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

class ElementwisePlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Operand : RealInputParameters {
    int input = -1;  // of the descriptor; -1: the attribute `scalar`
  };

  explicit ElementwisePlan(StridedLoop<3> loop);

  StridedLoop<3> loop_;
  int64_t piece_;  // codes of a row that one call of the kernel takes
  ElementwiseKernel kernel_ = nullptr;
  Operand a_, b_;
  float alpha_ = 1.0f;
  float lowest_ = 0, highest_ = 0;  // the fused activation's
  RealOutputParameters output_;
  int threads_ = 1;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
