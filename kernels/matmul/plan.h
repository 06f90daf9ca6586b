// A planned product of two activations, [.., M, K] by [.., K, N].
#ifndef QCONFORM_KERNELS_MATMUL_PLAN_H_
#define QCONFORM_KERNELS_MATMUL_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/real_codes.h"
#include "kernels/matmul/tile.h"
#include "kernels/requantize/real_output.h"

namespace qconform::kernels {

class MatmulPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override { return workspace_bytes_; }

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // One factor: its matrices, and which of them each matrix of the output takes.
  struct Factor {
    RealCodeMap map;
    int64_t matrices = 1;
    std::vector<int64_t> of_output;
  };
  // Rows [first_row, first_row + rows) of one matrix of the output.
  struct Task {
    int64_t matrix, first_row, rows;
  };

  static Factor FactorOf(const qc_tensor& tensor, const qc_tensor& y);
  void CutTasks();
  void PackRow(const qc_tensor& a, int64_t row, float* packed) const;
  void PackBlock(const qc_tensor& b, int64_t block, float* packed) const;
  void RunTask(const Task& task, const float* a, const float* b, uint8_t* matrix,
               int64_t row_stride) const;

  MatmulKernel kernel_ = nullptr;
  Tile tile_ = {};
  int64_t m_ = 0, n_ = 0, k_ = 0;
  int64_t blocks_ = 0;  // of columns
  Factor a_, b_;
  RealOutput output_;
  std::vector<int32_t> row_offset_, depth_offset_;
  std::vector<Task> tasks_;
  bool direct_ = false;  // the kernels write to the output at once
  int threads_ = 1;
  uint64_t b_offset_ = 0, staging_offset_ = 0, workspace_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_MATMUL_PLAN_H_
