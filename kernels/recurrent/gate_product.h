// One product of a recurrent layer: f32 rows times the weights of all gates, plus a bias.
#ifndef QCONFORM_KERNELS_RECURRENT_GATE_PRODUCT_H_
#define QCONFORM_KERNELS_RECURRENT_GATE_PRODUCT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/backend/operator_plan.h"

namespace qconform::kernels {

class GateProduct {
 public:
  // [rows, features] x weight^T + bias (nullptr: none), as a LINEAR under the layer's
  // scheme: `request` is the layer's own. False with a reason if it cannot be planned.
  bool Make(const PlanRequest& request, const qc_tensor* weight, const qc_tensor* bias,
            int64_t rows, int threads, std::string& reason);

  uint64_t WorkspaceBytes() const { return plan_->WorkspaceBytes(); }

  // x [rows, features] and y [rows, gates], dense.
  void Run(const float* x, float* y, void* workspace) const;

 private:
  std::unique_ptr<OperatorPlan> plan_;
  qc_tensor x_ = {}, y_ = {};
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_RECURRENT_GATE_PRODUCT_H_
