// A planned linear layer: everything that does not depend on the activations.
#ifndef QCONFORM_KERNELS_LINEAR_PLAN_H_
#define QCONFORM_KERNELS_LINEAR_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/conv/columns.h"
#include "kernels/conv/packed_weight.h"
#include "kernels/layout/widen.h"
#include "kernels/linear/tile.h"
#include "kernels/requantize/parameters.h"
#include "kernels/target/kernel_table.h"

namespace qconform::kernels {

class LinearPlan : public OperatorPlan {
 public:
  // descriptor: a LINEAR that the backend accepted; weight and bias (nullptr: none) with
  // data. nullptr with a reason if it cannot be planned.
  static std::unique_ptr<LinearPlan> Make(const qc_descriptor& descriptor,
                                          const qc_tensor& weight, const qc_tensor* bias,
                                          bool bias_s32, Path path,
                                          const KernelTable& kernels, int threads,
                                          std::string& reason);

  uint64_t WorkspaceBytes() const override { return staging_offset_ + staging_bytes_; }

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // Rows [first_row, first_row + rows) times blocks of one section.
  struct Task {
    const Section* section;
    int64_t first_block, blocks, first_row, rows;
  };

  void ChooseKernel(Path path, const KernelTable& kernels, bool weight_is_centred);
  void PackConstants(const qc_tensor& weight, const RequantizeParameters& parameters);
  void CutTasks();
  void RunTask(const Task& task, const void* packed, uint8_t* output, int64_t row_stride,
               uint8_t* staging) const;

  int64_t m_ = 0, n_ = 0, k_ = 0;  // as the caller sees them
  int64_t rows_ = 0;               // m, but at least a tile
  LinearKernel kernel_ = nullptr;
  Tile tile_ = {};
  bool bytes_ = false;        // activations as unsigned bytes, else as int16_t
  bool byte_weight_ = false;  // weights as signed bytes, else as int16_t
  int group_ = 2;             // products an instruction
  CodeMap map_;
  Columns columns_;
  PackedWeight weight_;
  RequantizeParameters parameters_;  // padded to columns_.padded
  int64_t staged_ = 0;               // staged channels
  std::vector<Task> tasks_;
  int threads_ = 1;
  uint64_t staging_offset_ = 0, staging_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LINEAR_PLAN_H_
