// A planned UPSAMPLE by the nearest element.
#ifndef QCONFORM_KERNELS_UPSAMPLE_NEAREST_PLAN_H_
#define QCONFORM_KERNELS_UPSAMPLE_NEAREST_PLAN_H_

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/code_lookup.h"
#include "kernels/upsample/image.h"

namespace qconform::kernels {

class NearestPlan : public OperatorPlan {
 public:
  explicit NearestPlan(const PlanRequest& request);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  void WriteRow(const uint8_t* from, uint8_t* to) const;
  void CopyRowOf(const uint8_t* from, uint8_t* to) const;

  UpsampleSizes sizes_;
  UpsampleStrides x_, y_;
  std::array<std::vector<int64_t>, 3> sources_;  // depth, height, width
  CodeTable table_;
  bool rescale_;
  CodeLookup lookup_;
  bool pixels_;  // channels lie side by side and move together
  bool twice_;   // every pixel of a row two times
  int64_t row_block_;
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_UPSAMPLE_NEAREST_PLAN_H_
