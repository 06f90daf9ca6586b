// Planned softmax along one axis.
#ifndef QCONFORM_KERNELS_SOFTMAX_PLAN_H_
#define QCONFORM_KERNELS_SOFTMAX_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/row_blocks.h"
#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

class SoftmaxPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override { return blocks_.WorkspaceBytes(); }
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  explicit SoftmaxPlan(const PlanRequest& request);

  // Exponentials of the codes 0 to `largest` less the largest one.
  const double* Exponentials(int largest) const {
    return exponentials_.data() + largest * (largest + 1) / 2;
  }
  void RunGroup(int64_t count, const uint8_t* const* codes, uint8_t* const* to) const;
  void Finish(const uint8_t* codes, const double* exponentials, int smallest, int largest,
              double sum, uint8_t* to) const;
  void Divide(const double* exponentials, int64_t count, double sum, uint8_t* to) const;

  RowBlocks blocks_;
  // Of s8 the bytes 128 higher, so that their order is that of the codes.
  uint8_t input_flip_;
  std::vector<double> exponentials_;  // by largest and own code, a triangle
  RealOutputParameters output_;
  SoftmaxKernel kernel_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_SOFTMAX_PLAN_H_
