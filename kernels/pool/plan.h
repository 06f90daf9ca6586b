// A planned MAX_POOL, AVG_POOL or ADAPTIVE_AVG_POOL with windows.
#ifndef QCONFORM_KERNELS_POOL_PLAN_H_
#define QCONFORM_KERNELS_POOL_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/code_lookup.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/pool/max_rows.h"
#include "kernels/pool/window_groups.h"
#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

class PoolPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  struct Strides {
    int64_t batch = 0, channel = 0;
    Spatial spatial{0, 0, 0};
  };
  // What one call of a kernel is told beside its windows' places.
  struct Part;
  // Outputs whose windows have no taps, and their code.
  struct Empty {
    Spatial first, count;
    uint8_t byte;
  };

  PoolPlan(const PlanRequest& request, const WindowGeometry& geometry);
  void ChooseVectors(Path path);
  void CutForThreads();
  void FindEmpty(const qc_tensor& y, const std::string& scheme);
  float Divisor(int64_t depth, int64_t height, int64_t width) const;

  void Call(const Part& part) const;
  void PoolChannels(int64_t item, const uint8_t* x, uint8_t* y) const;
  void PoolRows(int64_t item, const uint8_t* x, uint8_t* y, uint8_t* scratch) const;
  void CopyPlanes(const uint8_t* plane, int64_t planes, uint8_t* scratch) const;
  void MaximaOfPlanes(const uint8_t* from, const Spatial& stride, int64_t plane_stride,
                      int64_t planes, uint8_t* to, uint8_t* scratch) const;
  void FillEmpty(const Empty& empty, uint8_t* y) const;

  bool average_, adaptive_, is_signed_;
  int64_t divisor_override_;
  KernelTable kernels_;
  RealInputParameters input_;
  RealOutputParameters output_;
  bool rescale_;
  CodeLookup lookup_;     // of the maximum
  StridedLoop<1> codes_;  // of the output

  WindowGeometry geometry_;
  int64_t batch_ = 1, channels_ = 1;
  Strides x_, y_;
  std::vector<WindowGroup> groups_[3];
  std::vector<WindowGroup> row_blocks_;  // of height, cut for threads
  std::vector<Empty> empty_;

  // Vectors of channels, or of the windows of a row; then rows of the input may be
  // padded, in a copy.
  bool by_rows_ = false;
  bool copy_ = false;
  int64_t padded_width_ = 0;
  int64_t planes_ = 1;                // channels an item
  MaxRowsKernel max_rows_ = nullptr;  // where rows of the output lie pixel by pixel
  std::vector<int64_t> row_lengths_;  // of the windows of a row
  int threads_ = 1;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_PLAN_H_
