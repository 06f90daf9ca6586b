// Planned arithmetic of two operands, broadcast as torch does, or of one and a number.
#ifndef QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
#define QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

class ElementwisePlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Operand {
    int input = -1;  // of the descriptor; -1: the attribute `scalar`
    uint8_t flip = 0;
    int32_t zero_point = 0;
    float scale = 1.0f;
  };

  explicit ElementwisePlan(StridedLoop<3> loop);
  static Operand OperandOf(const qc_tensor& tensor, int input);

  StridedLoop<3> loop_;
  int64_t piece_;  // codes of a row that one call of the kernel takes
  ElementwiseKernel kernel_ = nullptr;
  Operand a_, b_;
  float alpha_ = 1.0f;
  float lowest_ = 0, highest_ = 0;  // the fused activation's
  float reciprocal_ = 1, lower_ = 0, upper_ = 0;
  int32_t zero_point_ = 0;
  int16_t of_nan_ = 0;
  uint8_t flip_ = 0;
  int threads_ = 1;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
