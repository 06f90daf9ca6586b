// A convolution or linear layer whose products are of real values: with a residual, with
// an activation that is no bound, or where the real scheme is asked for.
#ifndef QCONFORM_KERNELS_CONV_REAL_PLAN_H_
#define QCONFORM_KERNELS_CONV_REAL_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/conv/geometry.h"
#include "kernels/conv/packed_input.h"
#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/real_codes.h"
#include "kernels/matmul/tile.h"
#include "kernels/requantize/real_output.h"

namespace qconform::kernels {

class RealWeightedPlan : public OperatorPlan {
 public:
  // A CONV, CONV_TRANSPOSE or LINEAR that the backend accepted under the real scheme;
  // weight and bias (nullptr: none) with data. nullptr with a reason if it cannot be
  // planned.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            const qc_tensor& weight,
                                            const qc_tensor* bias, std::string& reason);

  uint64_t WorkspaceBytes() const override { return workspace_bytes_; }

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // Pixels [first, first + pixels) of one group.
  struct Task {
    int64_t group, first, pixels;
  };

  void PlanConv(const qc_descriptor& descriptor);
  void PlanLinear(const qc_tensor& x, const qc_tensor& y);
  // weight(o, k): the centred code of output channel o at term k of its sum.
  template <typename Weight>
  void PackWeight(int64_t terms, const std::vector<float>& scale, Weight weight);
  void CutTasks(int threads);
  void RunTask(const Task& task, const float* packed, float* sums) const;
  void Finish(int64_t pixel, const float* sums, const qc_tensor* residual,
              const float* bias, const qc_tensor& y) const;
  void ScaleBias(float input_scale, float* bias) const;
  int64_t PixelOffset(const qc_tensor& tensor, int64_t pixel) const;
  int64_t ChannelStride(const qc_tensor& tensor) const;

  bool linear_ = false;
  ConvGeometry geometry_;  // of a linear layer: channels only
  PackedInput packed_;
  std::vector<int32_t> pixel_offset_;  // of whole tiles
  std::vector<int32_t> term_offset_;
  int64_t pixels_ = 0;
  MatmulKernel kernel_ = nullptr;
  Tile tile_ = {};
  int64_t blocks_ = 0;                    // of channels of a group
  AlignedBytes weight_;                   // [group][block][term][channel of block]
  std::vector<float> bias_;               // [O] or none
  std::vector<float> bias_weight_scale_;  // [O] of a bias in units of sx * sw, or none
  RealCodeMap map_, residual_map_;
  qc_attributes attributes_ = {};
  RealOutput output_;
  float lowest_ = 0, highest_ = 0;  // an activation that is a bound
  std::vector<Task> tasks_;
  int threads_ = 1;
  uint64_t staging_offset_ = 0, bias_offset_ = 0, workspace_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_REAL_PLAN_H_
