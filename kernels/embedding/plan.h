// A planned EMBEDDING or EMBEDDING_BAG.
#ifndef QCONFORM_KERNELS_EMBEDDING_PLAN_H_
#define QCONFORM_KERNELS_EMBEDDING_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/kept_constants.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/embedding/row_kernel.h"
#include "kernels/embedding/table.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {

class EmbeddingPlan : public OperatorPlan {
 public:
  // Table, offsets and weights are constants or inputs of each run.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  explicit EmbeddingPlan(const PlanRequest& request);

  // What a run found out before it writes.
  struct Lookup {
    const void* table;
    const int64_t* indices;
    const int64_t* bounds;  // [outputs + 1]
    const float* factors;   // [indices], nullptr: all one
    char* y;
  };

  Lookup Read(const qc_tensor* const* inputs, void* workspace) const;
  void RunOutput(const Lookup& lookup, int64_t output) const;
  // Columns [first, first + count) of the rows of one output.
  void Combine(const Lookup& lookup, int64_t output, int64_t first, int64_t count,
               float* sum) const;

  KeptConstants kept_;
  EmbeddingTable table_;
  qc_attributes attributes_;
  bool bags_;
  int64_t index_count_;
  int64_t outputs_;    // rows of y
  int64_t bag_width_;  // indices of each output where there are no offsets
  qc_tensor y_;
  bool y_dense_;        // f32 side by side
  int64_t y_row_ = -1;  // bytes from one output to the next, where they are the same
  std::vector<float> y_scale_;
  std::vector<int32_t> y_zero_point_;
  Scheme scheme_;
  RowKernel first_;  // of an output's first row
  RowKernels next_;  // of every other one
  int64_t group_;    // outputs of a task
  int threads_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_EMBEDDING_PLAN_H_
