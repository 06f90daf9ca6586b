// A planned MEAN, or adaptive pooling to one element.
#ifndef QCONFORM_KERNELS_POOL_MEAN_PLAN_H_
#define QCONFORM_KERNELS_POOL_MEAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/pool/mean_columns.h"

namespace qconform::kernels {

class MeanPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);
  // Over all dimensions from `first` on, which the output keeps.
  static std::unique_ptr<OperatorPlan> OfPlanes(const PlanRequest& request, int first);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  static std::unique_ptr<OperatorPlan> Of(const PlanRequest& request, uint32_t reduced,
                                          bool keep, bool row_order);
  // Output, logical column, input.
  using KeptLoop = StridedLoop<3>;
  MeanPlan(const PlanRequest& request, KeptLoop kept)
      : input_(*request.descriptor.inputs[0]),
        output_(*request.descriptor.outputs[0]),
        kernel_(MeanKernelOf(request.path)),
        kept_(kept),
        threads_(request.threads) {}

  RealInputParameters input_;
  RealOutputParameters output_;
  MeanKernel kernel_;
  KeptLoop kept_;
  int64_t width_ = 1;
  int64_t stride_ = 0;
  std::vector<int64_t> offsets_;  // empty: by stride_
  bool row_order_ = true;
  int64_t cascades_ = 0;  // columns before this one are cascades, others dealt
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_MEAN_PLAN_H_
