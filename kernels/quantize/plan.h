// Planned QUANTIZE, DEQUANTIZE and REQUANTIZE.
#ifndef QCONFORM_KERNELS_QUANTIZE_PLAN_H_
#define QCONFORM_KERNELS_QUANTIZE_PLAN_H_

#include <memory>
#include <optional>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/quantize/conversion.h"

namespace qconform::kernels {

class QuantizePlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  explicit QuantizePlan(const PlanRequest& request);

  // Without one side is f32; with both, float32 values lie between.
  std::optional<CodeReader> reader_;
  std::optional<CodeWriter> writer_;
  StridedLoop<4> loop_;  // of the channel's number in x, in y, then x and y
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_QUANTIZE_PLAN_H_
