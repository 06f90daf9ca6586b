// A planned MEAN, or pooling of whole images to one element.
#ifndef QCONFORM_KERNELS_POOL_MEAN_PLAN_H_
#define QCONFORM_KERNELS_POOL_MEAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/pool/integer_means.h"
#include "kernels/pool/mean_columns.h"

namespace qconform::kernels {

class MeanPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);
  // Over all dimensions from `first` on, which the output keeps: kRow or kSequential.
  static std::unique_ptr<OperatorPlan> OfPlanes(const PlanRequest& request, int first,
                                                MeanOrder order);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  static std::unique_ptr<OperatorPlan> Of(const PlanRequest& request, uint32_t reduced,
                                          bool keep, MeanOrder order);
  void RunExactly(const MeanColumns& columns, int64_t column, int64_t column_step) const;

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
  // kCascade: columns before cascades_ are cascades, others dealt.
  MeanOrder order_ = MeanOrder::kRow;
  int64_t cascades_ = 0;
  std::optional<IntegerMeans> integers_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_MEAN_PLAN_H_
