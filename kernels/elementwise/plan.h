// Planned arithmetic of two operands, broadcast as torch does, or of one and a number.
#ifndef QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
#define QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kernels/backend/operator_plan.h"
#include "kernels/elementwise/dense_rows.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

class ElementwisePlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Operand : RealInputParameters {
    int input = -1;  // of the descriptor; -1: the attribute `scalar`
  };

  explicit ElementwisePlan(StridedLoop<3> loop);
  void ChooseDenseRow(const qc_descriptor& descriptor, Path path);
  void ChoosePeriod(const qc_tensor& y,
                    const std::array<std::array<int64_t, QC_MAX_RANK>, 3>& strides);
  void RunPeriods(const uint8_t* a, const uint8_t* b, uint8_t* y,
                  uint8_t* workspace) const;

  StridedLoop<3> loop_;
  int64_t piece_;  // codes of a row that one call of the kernel takes
  ElementwiseKernel kernel_ = nullptr;
  Operand a_, b_;
  float alpha_ = 1.0f;
  float lowest_ = 0, highest_ = 0;  // the fused activation's
  RealOutputParameters output_;
  // Instead of kernel_, where the strides of a row and the qparams allow it; the second
  // tensor is then its first operand where dense_swaps_.
  DenseRow dense_ = nullptr;
  bool dense_swaps_ = false;
  std::optional<DenseRowParameters> dense_parameters_;
  // Codes of an operand that is one row, repeated, beside a dense one: several rows are
  // laid side by side. 0: no such operand.
  int64_t period_ = 0;
  int repeated_ = 0;  // which operand
  int threads_ = 1;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ELEMENTWISE_PLAN_H_
