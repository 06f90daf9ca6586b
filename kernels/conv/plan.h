// A planned convolution: everything that does not depend on the activations.
#ifndef QCONFORM_KERNELS_CONV_PLAN_H_
#define QCONFORM_KERNELS_CONV_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/conv/columns.h"
#include "kernels/conv/geometry.h"
#include "kernels/conv/packed_input.h"
#include "kernels/conv/packed_weight.h"
#include "kernels/layout/short_sums.h"
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
  // Pixels of which it is asked together whether their sums may be short: whole tiles of
  // 4 and of 6 rows.
  static constexpr int64_t kPiecePixels = 12;

  // Outputs that share their taps.
  struct Phase {
    ConvPhase layout;
    int64_t pixels = 0;        // at least a tile
    int64_t first_staged = 0;  // pixels of the phases before
    PackedWeight weight;
    std::vector<int32_t> start;  // padded to column_groups_ * columns_.padded
    // The same in bytes, where sums may be short; and where in Workspace::sums a pixel's
    // codes begin, and those of each tap relative to it, `tap_sums` a tap.
    PackedWeight short_weight;
    std::vector<int32_t> short_start;
    std::vector<int32_t> pixel_sum, tap_sum;
    int64_t tap_sums = 1;
  };

  // What the kernels of one ShortSum read.
  struct Kernels {
    ConvKernel wide = nullptr, narrow = nullptr;
    bool bytes = false;  // activations and weights as bytes, else as int16_t
    int group = 2;       // products an instruction
    int run_group = 2;   // products that the kernel takes at a time
  };

  // What stands in the workspace: the packed images in 16 bits or in bytes and, where
  // sums may be short, in both, with a ShortSum for each row.
  struct Workspace {
    void* packed;
    uint8_t* packed_bytes;
    ShortSum *row_sums, *sums;
    uint8_t* staging;
  };

  // Pixels [first_pixel, first_pixel + pixels) times blocks of one section.
  struct Task {
    const Phase* phase;
    const Section* section;
    int64_t group, first_block, blocks, first_pixel, pixels;
  };

  void ChooseKernels(const KernelTable& table, bool weight_is_byte);
  bool PreparePhases(const qc_tensor& output, std::string& reason);
  void PackConstants(const qc_tensor& weight);
  void PackPhase(const qc_tensor& weight, Phase& phase) const;
  PackedWeight PackWeightOf(const qc_tensor& weight, const Phase& phase,
                            const Kernels& kernels) const;
  std::vector<int32_t> StartOf(const PackedWeight& weight, bool bytes) const;
  void CutTasks(const Phase& phase);
  int MinimumPixels() const;
  bool IsPacked(const qc_tensor& x) const;
  static int64_t RunOf(const ConvPhase& layout, int group) {
    return (layout.run + group - 1) / group * group;
  }
  int64_t ColumnsOf(int64_t group) const { return group * columns_.padded; }
  void PrepareShortSums(const qc_tensor& x);
  ShortSum WidestOfPixels(const Phase& phase, int64_t first_pixel, int64_t pixels,
                          const ShortSum* sums) const;
  void LayOutWorkspace(int64_t pixels);
  Workspace PlacesIn(void* workspace) const;
  void Pack(int64_t row, const qc_tensor& x, const ImageStride& stride,
            const Workspace& work) const;
  void SumRow(int64_t row, const Workspace& work) const;
  void PackWide(int64_t row, const qc_tensor& x, const ImageStride& stride,
                const Workspace& work) const;
  std::pair<int64_t, int64_t> RowsOf(const Phase& phase, int64_t first_pixel,
                                     int64_t pixels) const;
  const Kernels& KernelsOf(ShortSum sum) const {
    return sum == ShortSum::kQuad ? quad_ : sum == ShortSum::kPair ? pair_ : kernels_;
  }
  void RunTask(const Task& task, const Workspace& work, uint8_t* output,
               int64_t pixel_stride) const;
  void RunPixels(const Task& task, const Kernels& kernels, const Workspace& work,
                 uint8_t* output, int64_t pixel_stride) const;
  void Scatter(const Phase& phase, int64_t group, int64_t row, const uint8_t* staging,
               uint8_t* output, const ImageStride& stride) const;

  ConvGeometry geometry_;
  Path path_ = Path::kSse41;
  Kernels kernels_;  // for any codes
  Tile wide_tile_ = {}, narrow_tile_ = {};
  // Of ShortSum::kQuad and kPair; for rows of other codes there is kernels_.
  bool short_sums_ = false;
  Kernels quad_, pair_;
  bool packed_already_ = false;  // the input tensor is what its packed bytes would be
  int64_t sum_elements_ = 1;     // packed elements that have a ShortSum together
  int64_t rows_apart_ = 0;  // from the first to the last packed row of a tile's pixels
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
  uint64_t bytes_offset_ = 0, sums_offset_ = 0, staging_offset_ = 0, staging_bytes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_PLAN_H_
