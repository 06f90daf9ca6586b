// Planned batch norm with stored statistics.
#ifndef QCONFORM_KERNELS_NORMALIZE_BATCH_NORM_PLAN_H_
#define QCONFORM_KERNELS_NORMALIZE_BATCH_NORM_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"

namespace qconform::kernels {

// A channel is a function of one code: the definition fills a table of its 256 values.
// Most channels are one multiplication and one addition in float32, which the plan finds
// and tries on all 256 codes; the others are looked up.
class BatchNormPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Piece;

  BatchNormPlan(const PlanRequest& request, int64_t channels);
  void FitChannels();
  void RepeatChannels(const qc_tensor& x, const qc_tensor& y);
  void RunRow(const Piece& piece) const;

  int64_t channels_;
  std::vector<uint8_t> tables_;
  // In codes of the output, from the byte of the input; for s8 both are 128 higher.
  std::vector<float> slope_, offset_;
  std::vector<char> is_affine_;
  bool all_affine_ = true;
  float lowest_ = 0, highest_ = 0;
  uint8_t input_flip_, flip_;
  StridedLoop<3> loop_;  // of the channel's number, x and y
  int64_t period_ = 0;   // parameters of a dense tensor with the channels innermost
  AffineCodesKernel affine_;
  ActivationKernel lookup_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_NORMALIZE_BATCH_NORM_PLAN_H_
