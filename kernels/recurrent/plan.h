// Planned LSTM and GRU layers.
#ifndef QCONFORM_KERNELS_RECURRENT_PLAN_H_
#define QCONFORM_KERNELS_RECURRENT_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/kept_constants.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/recurrent/gate_product.h"
#include "reference/numerics/recurrent_cell.h"

namespace qconform::kernels {

class RecurrentPlan : public OperatorPlan {
 public:
  // Weights and biases are constants, states are those or inputs of each run. nullptr
  // with a reason if it cannot be planned.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override { return workspace_bytes_; }
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // What stands in the workspace; x and y are the sequences that a layer reads and
  // writes, [steps, batch, features].
  struct Sequences {
    float *x, *y;
    float *hidden, *cell;  // [layers * directions, batch, hidden]
  };
  // Of one direction, which may run beside the other one.
  struct Scratch {
    float *from_input, *from_hidden;
    void* product;
  };
  struct Direction {
    GateProduct input, hidden;
  };

  explicit RecurrentPlan(const PlanRequest& request);
  bool MakeProducts(const PlanRequest& request, std::string& reason);
  void LayOutWorkspace();
  void RunDirection(int64_t layer, int64_t direction, const Sequences& sequences,
                    const Scratch& scratch) const;
  void FinishStep(const float* from_input, const Scratch& scratch, float* hidden,
                  float* cell, float* y) const;

  Path path_;
  CellKind cell_kind_;
  bool batch_first_;
  int64_t steps_, batch_, input_, hidden_, layers_, directions_;
  int64_t gates_;  // rows of a weight
  KeptConstants states_;
  std::vector<Direction> products_;  // [layer][direction]
  bool beside_ = false;              // the two directions of a layer run at once
  int threads_;                      // inside of one direction
  uint64_t sequence_bytes_ = 0, state_bytes_ = 0, input_bytes_ = 0, step_bytes_ = 0,
           product_bytes_ = 0, workspace_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_RECURRENT_PLAN_H_
