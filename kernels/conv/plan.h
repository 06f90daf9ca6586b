// A planned convolution: everything that does not depend on the activations.
#ifndef QCONFORM_KERNELS_CONV_PLAN_H_
#define QCONFORM_KERNELS_CONV_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/conv/columns.h"
#include "kernels/conv/geometry.h"
#include "kernels/conv/packed_input.h"
#include "kernels/conv/packed_weight.h"
#include "kernels/requantize/parameters.h"
#include "kernels/target/kernel_table.h"

namespace qconform::kernels {

class ConvPlan : public OperatorPlan {
 public:
  // A CONV or CONV_TRANSPOSE that the backend accepted under a scheme of accumulators;
  // weight and bias (nullptr: none) with data. nullptr with a reason if it cannot be
  // planned.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            const qc_tensor& weight,
                                            const qc_tensor* bias, std::string& reason);

  uint64_t WorkspaceBytes() const override { return staging_offset_ + staging_bytes_; }

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // Outputs that share their taps.
  struct Phase {
    ConvPhase layout;
    int64_t pixels = 0;        // at least a tile
    int64_t first_staged = 0;  // pixels of the phases before
    PackedWeight weight;
    std::vector<int32_t> start;  // padded to column_groups_ * columns_.padded
  };

  // Pixels [first_pixel, first_pixel + pixels) times blocks of one section.
  struct Task {
    const Phase* phase;
    const Section* section;
    int64_t group, first_block, blocks, first_pixel, pixels;
  };

  void ChooseKernels(const KernelTable& kernels, bool weight_is_byte);
  bool PreparePhases(const qc_tensor& output, std::string& reason);
  void PackConstants(const qc_tensor& weight);
  void PackPhase(const qc_tensor& weight, Phase& phase) const;
  void CutTasks(const Phase& phase);
  int MinimumPixels() const;
  int64_t ColumnsOf(int64_t group) const { return group * columns_.padded; }
  void RunTask(const Task& task, const void* packed, uint8_t* output,
               int64_t pixel_stride, uint8_t* staging) const;
  void Scatter(const Phase& phase, int64_t group, int64_t row, const uint8_t* staging,
               uint8_t* output, const ImageStride& stride) const;

  ConvGeometry geometry_;
  Path path_ = Path::kSse41;
  ConvKernel wide_ = nullptr, narrow_ = nullptr;
  Tile wide_tile_ = {}, narrow_tile_ = {};
  bool bytes_ = false;  // activations as bytes (signed on Arm), else as int16_t
  int group_ = 2;       // products an instruction
  CodeMap map_;
  PackedInput packed_;
  Columns columns_;
  int64_t column_groups_ = 1;  // matrices of weights: groups, or 1 when depthwise
  int64_t group_columns_ = 1;  // channels of one of them
  std::vector<Phase> phases_;
  RequantizeParameters parameters_;
  std::vector<float> bias_, multiplier_;  // of parameters_, padded as Phase::start
  int64_t staged_ = 0;                    // staged channels of one group
  std::vector<Task> tasks_;
  int threads_ = 1;
  uint64_t staging_offset_ = 0, staging_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_PLAN_H_
