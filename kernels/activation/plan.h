// A planned function of one code.
#ifndef QCONFORM_KERNELS_ACTIVATION_PLAN_H_
#define QCONFORM_KERNELS_ACTIVATION_PLAN_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

class ActivationPlan : public OperatorPlan {
 public:
  // nullptr with a reason if the scalar definition does not compute.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  ActivationPlan(const PlanRequest& request, StridedLoop<2> loop)
      : loop_(loop),
        kernel_(request.kernels.activation_table),
        threads_(request.threads) {}

  // By the input's byte, the output's: what they mean does not matter.
  std::array<uint8_t, 256> table_ = {};
  StridedLoop<2> loop_;
  ActivationKernel kernel_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_PLAN_H_
