// Planned DYNAMIC_QUANTIZE.
#ifndef QCONFORM_KERNELS_QUANTIZE_DYNAMIC_PLAN_H_
#define QCONFORM_KERNELS_QUANTIZE_DYNAMIC_PLAN_H_

#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {

class DynamicQuantizePlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  explicit DynamicQuantizePlan(const PlanRequest& request);

  StridedLoop<2> loop_;
  CodeBounds bounds_;
  bool reduce_range_;
  int32_t code_dtype_;
  const KernelTable& kernels_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_QUANTIZE_DYNAMIC_PLAN_H_
