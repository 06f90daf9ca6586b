// A planned UPSAMPLE that interpolates linearly.
#ifndef QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_PLAN_H_
#define QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_PLAN_H_

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/upsample/image.h"
#include "kernels/upsample/interpolate_rows.h"

namespace qconform::kernels {

class InterpolatePlan : public OperatorPlan {
 public:
  explicit InterpolatePlan(const PlanRequest& request);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  class Rows;
  // Some rows of some channels of one plane of depth.
  struct Item {
    int64_t sample, channel, lanes, depth, first, end;
  };

  Item ItemAt(int64_t item) const;
  void Compute(const Item& item, const uint8_t* x, uint8_t* y, float* scratch) const;
  void WriteRow(const float* values, int64_t lanes, uint8_t* bytes, uint8_t* to) const;
  int64_t ScratchFloats() const;

  UpsampleSizes sizes_;
  UpsampleStrides x_, y_;
  RealInputParameters input_;
  RealOutputParameters output_;
  const InterpolatedRows& rows_;
  std::array<std::vector<LinearSource>, 3> sources_;
  InterpolatedPixels pixels_;
  int64_t input_width_;
  int axes_;
  bool small_;
  int64_t lanes_;  // channels that lie side by side, of an item; 1: plane by plane
  int64_t row_block_;
  int64_t items_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_PLAN_H_
