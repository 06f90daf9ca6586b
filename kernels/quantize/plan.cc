#include "kernels/quantize/plan.h"

#include <algorithm>
#include <array>

#include "kernels/layout/parallel.h"
#include "kernels/layout/row_pieces.h"
#include "kernels/quantize/strided_run.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialElements = 1 << 15;

// 1 in the quantized dimension.
std::array<int64_t, QC_MAX_RANK> ChannelStrides(const qc_tensor& tensor) {
  std::array<int64_t, QC_MAX_RANK> strides = {};
  if (IsQuantized(tensor) && tensor.quantized_axis >= 0)
    strides[tensor.quantized_axis] = 1;
  return strides;
}

StridedLoop<4> LoopOf(const qc_tensor& x, const qc_tensor& y) {
  return StridedLoop<4>(y.shape, y.rank,
                        {ChannelStrides(x), ChannelStrides(y), BroadcastStrides(x, y),
                         BroadcastStrides(y, y)});
}

}  // namespace

QuantizePlan::QuantizePlan(const PlanRequest& request)
    : loop_(LoopOf(*request.descriptor.inputs[0], *request.descriptor.outputs[0])),
      threads_(request.threads) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  if (IsQuantized(x)) reader_.emplace(x, request.kernels);
  if (IsQuantized(y)) writer_.emplace(y, request.kernels);
  if (loop_.Rows() * loop_.RowLength() < kSerialElements) threads_ = 1;
}

std::unique_ptr<OperatorPlan> QuantizePlan::Make(const PlanRequest& request,
                                                 std::string&) {
  return std::unique_ptr<OperatorPlan>(new QuantizePlan(request));
}

void QuantizePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                       void*) const {
  const auto* const x = static_cast<const char*>(inputs[0]->data);
  auto* const y = static_cast<char*>(outputs[0]->data);
  const int64_t x_bytes = reader_ ? reader_->bytes() : 4;
  const int64_t y_bytes = writer_ ? writer_->bytes() : 4;
  const auto stride = loop_.RowStride();
  const RowPieces pieces(loop_, kConversionPiece);
  RunItems(threads_, pieces.count(), [&](int64_t item) {
    alignas(64) float dense_x[kConversionPiece];
    alignas(64) float between[kConversionPiece];
    alignas(64) float dense_y[kConversionPiece];
    const auto [offset, count] = pieces.At(item);
    const void* const from = DenseRun(x + offset[2], stride[2], x_bytes, count, dense_x);
    void* const to = RoomForRun(y + offset[3], stride[3], y_bytes, count, dense_y);
    const auto* values = static_cast<const float*>(from);
    if (reader_) {
      auto* const read = writer_ ? between : static_cast<float*>(to);
      reader_->Read(from, count, offset[0], stride[0], read);
      values = read;
    }
    if (writer_) writer_->Write(values, count, offset[1], stride[1], to);
    PutRun(to, y_bytes, count, y + offset[3], stride[3]);
  });
}

}  // namespace qconform::kernels
