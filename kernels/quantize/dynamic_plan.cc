#include "kernels/quantize/dynamic_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/layout/parallel.h"
#include "kernels/layout/real_range.h"
#include "kernels/layout/row_pieces.h"
#include "kernels/quantize/conversion.h"
#include "kernels/quantize/strided_run.h"
#include "reference/numerics/choose_qparams.h"

namespace qconform::kernels {
namespace {

// Two passes over so few values take less than a parallel region.
constexpr int64_t kSerialElements = 1 << 14;

}  // namespace

DynamicQuantizePlan::DynamicQuantizePlan(const PlanRequest& request)
    : loop_(request.descriptor.outputs[0]->shape, request.descriptor.outputs[0]->rank,
            {BroadcastStrides(*request.descriptor.inputs[0],
                              *request.descriptor.outputs[0]),
             BroadcastStrides(*request.descriptor.outputs[0],
                              *request.descriptor.outputs[0])}),
      bounds_(BoundsOf(*request.descriptor.outputs[0])),
      reduce_range_(request.descriptor.attributes->reduce_range != 0),
      code_dtype_(request.descriptor.outputs[0]->dtype),
      kernels_(request.kernels),
      threads_(request.threads) {
  if (loop_.Rows() * loop_.RowLength() < kSerialElements) threads_ = 1;
}

std::unique_ptr<OperatorPlan> DynamicQuantizePlan::Make(const PlanRequest& request,
                                                        std::string&) {
  return std::unique_ptr<OperatorPlan>(new DynamicQuantizePlan(request));
}

uint64_t DynamicQuantizePlan::WorkspaceBytes() const {
  return static_cast<uint64_t>(RowPieces(loop_, kConversionPiece).count()) *
         sizeof(RealRange);
}

// The range of every piece, then the parameters, then the codes of every piece. Which of
// equal values is taken makes no difference, so neither does the order.
void DynamicQuantizePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                              void* workspace) const {
  const auto* const x = static_cast<const char*>(inputs[0]->data);
  auto* const y = static_cast<char*>(outputs[0]->data);
  auto* const ranges = static_cast<RealRange*>(workspace);
  std::optional<CodeWriter> writer;
  const RowPieces pieces(loop_, kConversionPiece);
  const int64_t items = pieces.count();
  const auto [x_stride, y_stride] = loop_.RowStride();
  const auto with_piece = [&, x_stride = x_stride, y_stride = y_stride](
                              int64_t item, const auto& body) {
    alignas(64) float dense_x[kConversionPiece];
    const auto [offset, count] = pieces.At(item);
    const void* const from = DenseRun(x + offset[0], x_stride, 4, count, dense_x);
    body(static_cast<const float*>(from), count, y + offset[1], y_stride);
  };
  RunPhases(
      threads_, items,
      [&](int64_t item) {
        with_piece(item, [&](const float* values, int64_t count, char*, int64_t) {
          RealRange range;
          range.Include(reinterpret_cast<const uint8_t*>(values), sizeof *values, count);
          ranges[item] = range;
        });
      },
      1,
      [&](int64_t) {
        RealRange all;
        for (int64_t i = 0; i < items; ++i) all.Include(ranges[i]);
        const ChosenQparams chosen = ChooseQuantizationParams(
            all.least, all.most, bounds_.min, bounds_.max, false, reduce_range_);
        const auto scale = static_cast<float>(chosen.scale);
        const auto zero_point = static_cast<int32_t>(chosen.zero_point);
        std::memcpy(outputs[1]->data, &scale, sizeof scale);
        std::memcpy(outputs[2]->data, &zero_point, sizeof zero_point);
        qc_tensor codes = *outputs[0];
        codes.dtype = code_dtype_;
        codes.quantized_axis = -1;
        codes.qparam_count = 1;
        codes.scale = &scale;
        codes.zero_point = &zero_point;
        writer.emplace(codes, kernels_);
      },
      items,
      [&](int64_t item) {
        with_piece(item,
                   [&](const float* values, int64_t count, char* to, int64_t stride) {
                     alignas(64) uint8_t dense_y[kConversionPiece];
                     void* const room = RoomForRun(to, stride, 1, count, dense_y);
                     writer->Write(values, count, 0, 0, room);
                     PutRun(room, 1, count, to, stride);
                   });
      });
}

}  // namespace qconform::kernels
