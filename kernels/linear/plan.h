// A planned linear layer: everything that does not depend on the activations.
#ifndef QCONFORM_KERNELS_LINEAR_PLAN_H_
#define QCONFORM_KERNELS_LINEAR_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/conv/columns.h"
#include "kernels/conv/packed_weight.h"
#include "kernels/layout/short_sums.h"
#include "kernels/layout/widen.h"
#include "kernels/linear/dynamic_input.h"
#include "kernels/linear/tile.h"
#include "kernels/requantize/parameters.h"
#include "kernels/target/kernel_table.h"

namespace qconform::kernels {

class LinearPlan : public OperatorPlan {
 public:
  // A LINEAR that the backend accepted under a scheme of accumulators; weight and bias
  // (nullptr: none) with data. nullptr with a reason if it cannot be planned.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            const qc_tensor& weight,
                                            const qc_tensor* bias, std::string& reason);

  uint64_t WorkspaceBytes() const override { return workspace_bytes_; }

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // Rows [first_row, first_row + rows) times blocks of one section.
  struct Task {
    const Section* section;
    int64_t first_block, blocks, first_row, rows;
  };

  // What stands in the workspace.
  struct Workspace {
    void* packed;
    // Where sums may be short: the rows in bytes, what each is, and the start of each
    // column.
    uint8_t* packed_bytes;
    ShortSum* sums;
    int32_t* short_start;
    uint8_t* staging;
    // Of a dynamic input: the range of each chunk of rows, what was chosen for all, and
    // the arrays of RequantizeParameters.
    RealRange* ranges;
    DynamicQparams* qparams;
    int32_t* start;
    float *bias, *multiplier;
  };

  void ChooseKernel(const KernelTable& kernels, bool weight_is_byte);
  void PackConstants(const qc_tensor& weight);
  // Bytes keep their zero point: sum((a - z) w) = sum(a w) - z sum(w).
  void SubtractZeroPoint(const PackedWeight& weight, uint32_t zero, int32_t* start) const;
  void CutTasks();
  void LayOutWorkspace();
  Workspace PlacesIn(void* workspace) const;
  void MeasureRows(const qc_tensor& x, int64_t chunk, const Workspace& work) const;
  void ChooseQparams(const Workspace& work) const;
  template <typename T>
  void PackRow(const qc_tensor& x, int64_t row, const Workspace& work, T* to) const;
  void Pack(const qc_tensor& x, int64_t row, const Workspace& work) const;
  void PackWide(const qc_tensor& x, int64_t row, const Workspace& work) const;
  void RunTask(const Task& task, const Workspace& work, uint8_t* output,
               int64_t row_stride) const;
  void RunRows(const Task& task, ShortSum sum, const Workspace& work, uint8_t* output,
               int64_t row_stride) const;
  void Scatter(const qc_tensor& y, int64_t row, const Workspace& work) const;

  Path path_ = Path::kSse41;
  int64_t m_ = 0, n_ = 0, k_ = 0;  // as the caller sees them
  int64_t rows_ = 0;               // m, but at least a tile
  LinearKernel kernel_ = nullptr;
  Tile tile_ = {};
  bool bytes_ = false;        // activations as bytes (signed on Arm), else as int16_t
  bool byte_weight_ = false;  // weights as signed bytes, else as int16_t
  int group_ = 2;             // products an instruction
  // For rows of codes that 16 bits suffice for; the others have kernel_.
  bool short_sums_ = false;
  LinearKernel quad_ = nullptr, pair_ = nullptr;
  PackedWeight short_weight_;
  std::vector<int32_t> short_start_;
  bool dynamic_ = false;  // the input is f32
  bool reduce_range_ = false;
  CodeMap map_;
  Columns columns_;
  PackedWeight weight_;
  std::optional<WeightedConstants> constants_;
  RequantizeParameters parameters_;  // padded to columns_.padded
  int64_t staged_ = 0;               // staged channels
  int64_t range_chunks_ = 0;
  std::vector<Task> tasks_;
  int threads_ = 1;
  uint64_t short_offset_ = 0, staging_offset_ = 0, dynamic_offset_ = 0,
           workspace_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LINEAR_PLAN_H_
