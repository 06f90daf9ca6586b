// Functions of one code that differ from channel (dimension 1) to channel: a table of 256
// bytes for each.
#ifndef QCONFORM_KERNELS_ACTIVATION_CHANNEL_TABLES_H_
#define QCONFORM_KERNELS_ACTIVATION_CHANNEL_TABLES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/kept_constants.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

inline constexpr int64_t kTableBytes = 256;

// The operator of all 256 bytes in each channel, by its scalar definition. x and y are
// those of the operator, for their dtypes and qparams. False if it does not compute.
bool FillChannelTables(const qc_descriptor& descriptor, const qc_tensor& x,
                       const qc_tensor& y, const KeptConstants& operands,
                       const qc_tensor* const* run_inputs, const std::string& scheme,
                       int64_t channels, uint8_t* tables);

// x and y walked in rows that stay in one channel or pass through all of them. The
// tensors of the loop are the channel's number, x and y.
StridedLoop<3> ChannelLoop(const qc_tensor& x, const qc_tensor& y, int64_t channels);

// to[i] = table[from[i]], strides in bytes.
void LookUpRow(const uint8_t* table, Path path, const uint8_t* from, int64_t from_stride,
               uint8_t* to, int64_t to_stride, int64_t count);

// The same with the next channel's table for each i.
void LookUpChannels(const uint8_t* tables, const uint8_t* from, int64_t from_stride,
                    uint8_t* to, int64_t to_stride, int64_t count);

// Tables of the constants are made at plan, those of live operands at each run.
class ChannelTablePlan : public OperatorPlan {
 public:
  // channels: 1 where all have the same function.
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request, int64_t channels,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override;
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  ChannelTablePlan(const PlanRequest& request, int64_t channels);

  KeptConstants operands_;
  int64_t channels_;
  std::vector<uint8_t> tables_;  // empty where an operand is live
  StridedLoop<3> loop_;
  Path path_;
  int threads_;
  qc_attributes attributes_;  // of live operands only, as all that follows
  int32_t kind_;
  int32_t input_count_;
  std::string scheme_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_CHANNEL_TABLES_H_
