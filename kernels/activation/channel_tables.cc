#include "kernels/activation/channel_tables.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "kernels/layout/code_lookup.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/row_pieces.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kPiece = 1 << 14;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 17;

// They are looked up one by one before a table is ready for vectors.
constexpr int64_t kFewCodes = 256;

}  // namespace

bool FillChannelTables(const qc_descriptor& descriptor, const qc_tensor& x,
                       const qc_tensor& y, const KeptConstants& operands,
                       const qc_tensor* const* run_inputs, const std::string& scheme,
                       int64_t channels, uint8_t* tables) {
  std::array<uint8_t, kTableBytes> bytes;
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  // All bytes in dimension 0, the channels in dimension 1: of x the same bytes each time.
  qc_tensor all = x;
  qc_tensor results = y;
  for (qc_tensor* tensor : {&all, &results}) {
    tensor->rank = 2;
    tensor->shape[0] = kTableBytes;
    tensor->shape[1] = channels;
    tensor->stride[0] = 1;
  }
  all.stride[1] = 0;
  results.stride[1] = kTableBytes;
  all.data = bytes.data();
  results.data = tables;
  std::vector<const qc_tensor*> inputs = {&all};
  for (int i = 1; i < descriptor.input_count; ++i)
    inputs.push_back(operands.Get(i, run_inputs));
  qc_tensor* const output = &results;
  const qc_tensor* const described = output;
  qc_descriptor whole = descriptor;
  whole.inputs = inputs.data();
  whole.outputs = &described;
  whole.output_count = 1;
  whole.scheme = scheme.c_str();
  return RunScalarOperator(whole, inputs, {&output, 1}) == QC_OK;
}

StridedLoop<3> ChannelLoop(const qc_tensor& x, const qc_tensor& y, int64_t channels) {
  std::array<int64_t, QC_MAX_RANK> channel = {};
  if (channels > 1) channel[1] = 1;
  return StridedLoop<3>(y.shape, y.rank,
                        {channel, BroadcastStrides(x, y), BroadcastStrides(y, y)});
}

void LookUpRow(const uint8_t* table, Path path, const uint8_t* from, int64_t from_stride,
               uint8_t* to, int64_t to_stride, int64_t count) {
  const bool dense = from_stride == 1 && to_stride == 1;
  if (!dense || count < kFewCodes) {
    for (int64_t i = 0; i < count; ++i) to[i * to_stride] = table[from[i * from_stride]];
    return;
  }
  CodeTable entries;
  std::copy_n(table, entries.size(), entries.begin());
  CodeLookup(entries, path).Row(from, to, count);
}

void LookUpChannels(const uint8_t* tables, const uint8_t* from, int64_t from_stride,
                    uint8_t* to, int64_t to_stride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i * to_stride] = tables[i * kTableBytes + from[i * from_stride]];
}

ChannelTablePlan::ChannelTablePlan(const PlanRequest& request, int64_t channels)
    : operands_(request),
      channels_(channels),
      loop_(ChannelLoop(*request.descriptor.inputs[0], *request.descriptor.outputs[0],
                        channels)),
      path_(request.path),
      threads_(request.threads),
      attributes_(*request.descriptor.attributes),
      kind_(request.descriptor.kind),
      input_count_(request.descriptor.input_count),
      scheme_(request.scheme) {
  if (loop_.Rows() * loop_.RowLength() < kSerialCodes) threads_ = 1;
}

std::unique_ptr<OperatorPlan> ChannelTablePlan::Make(const PlanRequest& request,
                                                     int64_t channels,
                                                     std::string& reason) {
  std::unique_ptr<ChannelTablePlan> plan(new ChannelTablePlan(request, channels));
  if (!plan->operands_.complete()) return plan;
  plan->tables_.resize(static_cast<size_t>(channels * kTableBytes));
  if (!FillChannelTables(request.descriptor, *request.descriptor.inputs[0],
                         *request.descriptor.outputs[0], plan->operands_, nullptr,
                         request.scheme, channels, plan->tables_.data())) {
    reason = "the tables cannot be computed";
    return nullptr;
  }
  return plan;
}

uint64_t ChannelTablePlan::WorkspaceBytes() const {
  return operands_.complete() ? 0 : static_cast<uint64_t>(channels_ * kTableBytes);
}

void ChannelTablePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                           void* workspace) const {
  const uint8_t* tables = tables_.data();
  if (!operands_.complete()) {
    qc_descriptor descriptor = {};
    descriptor.size = sizeof descriptor;
    descriptor.kind = kind_;
    descriptor.attributes = &attributes_;
    descriptor.input_count = input_count_;
    auto* const own = static_cast<uint8_t*>(workspace);
    if (!FillChannelTables(descriptor, *inputs[0], *outputs[0], operands_, inputs,
                           scheme_, channels_, own))
      throw std::runtime_error("the tables cannot be computed");
    tables = own;
  }
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  const auto [channel_step, x_step, y_step] = loop_.RowStride();
  const RowPieces pieces(loop_, kPiece);
  RunItems(
      threads_, pieces.count(),
      [&, channel_step = channel_step, x_step = x_step, y_step = y_step](int64_t item) {
        const auto [offset, count] = pieces.At(item);
        const uint8_t* const table = tables + offset[0] * kTableBytes;
        const uint8_t* const from = x + offset[1];
        uint8_t* const to = y + offset[2];
        if (channel_step == 0) {
          LookUpRow(table, path_, from, x_step, to, y_step, count);
        } else {
          LookUpChannels(table, from, x_step, to, y_step, count);
        }
      });
}

}  // namespace qconform::kernels
