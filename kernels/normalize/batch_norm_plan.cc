#include "kernels/normalize/batch_norm_plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/activation/channel_tables.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/requantize/parameters.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kPiece = 1 << 14;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 15;

// Parameters of so many codes are laid out beside each other where channels are fewer.
constexpr int64_t kPeriod = 2048;

// Whether the kernel's arithmetic gives all 256 codes of a channel.
bool Gives(const float* expected, float slope, float offset, float lowest,
           float highest) {
  int wrong = 0;
  for (int k = 0; k < kTableBytes; ++k) {
    const float scaled = static_cast<float>(k) * slope + offset;
    const float clamped = std::min(std::max(scaled, lowest), highest);
    // As the kernel rounds, see requantize/epilogue.h.
    constexpr float kMagic = 12582912.0f;
    wrong += (clamped + kMagic) - kMagic != expected[k] ? 1 : 0;
  }
  return wrong == 0;
}

float ValueOf(const qc_tensor* tensor, int64_t channel, float fallback) {
  return tensor == nullptr ? fallback : static_cast<const float*>(tensor->data)[channel];
}

}  // namespace

// A run of codes whose channels are one, or side by side.
struct BatchNormPlan::Piece {
  int64_t channel, channel_step;
  const uint8_t* from;
  int64_t from_stride;
  uint8_t* to;
  int64_t to_stride;
  int64_t count;
};

BatchNormPlan::BatchNormPlan(const PlanRequest& request, int64_t channels)
    : channels_(channels),
      tables_(static_cast<size_t>(channels * kTableBytes)),
      slope_(static_cast<size_t>(channels)),
      offset_(static_cast<size_t>(channels)),
      is_affine_(static_cast<size_t>(channels)),
      input_flip_(request.descriptor.inputs[0]->dtype == QC_S8 ? 0x80 : 0),
      flip_(request.descriptor.outputs[0]->dtype == QC_S8 ? 0x80 : 0),
      loop_(ChannelLoop(*request.descriptor.inputs[0], *request.descriptor.outputs[0],
                        channels)),
      affine_(request.kernels.normalize_affine),
      lookup_(request.kernels.activation_table),
      threads_(request.threads) {
  if (loop_.Rows() * loop_.RowLength() < kSerialCodes) threads_ = 1;
}

std::unique_ptr<OperatorPlan> BatchNormPlan::Make(const PlanRequest& request,
                                                  std::string& reason) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  const KeptConstants operands(request);
  if (!operands.complete()) return ChannelTablePlan::Make(request, x.shape[1], reason);
  std::unique_ptr<BatchNormPlan> plan(new BatchNormPlan(request, x.shape[1]));
  if (!FillChannelTables(request.descriptor, x, y, operands, nullptr, request.scheme,
                         x.shape[1], plan->tables_.data())) {
    reason = "the tables cannot be computed";
    return nullptr;
  }
  const double zero_x = ZeroPoint(x, 0) + (plan->input_flip_ != 0 ? 128 : 0);
  const double zero_y = ZeroPoint(y, 0) + (plan->flip_ != 0 ? 128 : 0);
  for (int64_t c = 0; c < plan->channels_; ++c) {
    const double a =
        ValueOf(operands.Get(1, nullptr), c, 1.0f) /
        std::sqrt(static_cast<double>(ValueOf(operands.Get(4, nullptr), c, 1.0f) +
                                      request.descriptor.attributes->epsilon));
    const double b = ValueOf(operands.Get(2, nullptr), c, 0.0f) -
                     a * ValueOf(operands.Get(3, nullptr), c, 0.0f);
    const double slope = a * Scale(x, 0) / Scale(y, 0);
    plan->slope_[c] = static_cast<float>(slope);
    plan->offset_[c] = static_cast<float>(b / Scale(y, 0) + zero_y - zero_x * slope);
  }
  plan->FitChannels();
  plan->RepeatChannels(x, y);
  return plan;
}

// The definition rounds four times on its way to the code; one multiplication and one
// addition differ from it only where a value lies within some 1e-5 of a tie, and there a
// slightly other offset often puts it on the right side. What counts is that all 256
// codes come out right, which is tried.
void BatchNormPlan::FitChannels() {
  uint8_t low = 255, high = 0;
  for (const uint8_t byte : tables_) {
    low = std::min<uint8_t>(low, byte ^ flip_);
    high = std::max<uint8_t>(high, byte ^ flip_);
  }
  lowest_ = low;
  highest_ = high;
  for (size_t c = 0; c < slope_.size(); ++c) {
    float expected[kTableBytes];
    for (int k = 0; k < kTableBytes; ++k)
      expected[k] = tables_[c * kTableBytes + (k ^ input_flip_)] ^ flip_;
    const float offset = offset_[c];
    const float step =
        std::ldexp(std::max(std::fabs(offset), std::fabs(slope_[c]) * 255), -24);
    for (const int steps : {0, 1, -1, 2, -2, 4, -4, 8, -8, 16, -16}) {
      offset_[c] = offset + step * static_cast<float>(steps);
      is_affine_[c] = Gives(expected, slope_[c], offset_[c], lowest_, highest_);
      if (is_affine_[c]) break;
    }
    all_affine_ = all_affine_ && is_affine_[c];
  }
}

// Pixels of few channels would be short rows: where whole tensors are dense, so many
// pixels are taken at once that a row is long.
void BatchNormPlan::RepeatChannels(const qc_tensor& x, const qc_tensor& y) {
  const StridedLoop<2> flat(y.shape, y.rank,
                            {BroadcastStrides(x, y), BroadcastStrides(y, y)});
  if (!all_affine_ || flat.Rows() != 1 || loop_.RowStride()[0] != 1) return;
  for (const int64_t stride : flat.RowStride())
    if (stride != 1) return;
  const int64_t pixels = std::max<int64_t>(kPeriod / channels_, 1);
  period_ = pixels * channels_;
  slope_.reserve(static_cast<size_t>(period_));
  offset_.reserve(static_cast<size_t>(period_));
  for (int64_t i = channels_; i < period_; ++i) {
    slope_.push_back(slope_[i - channels_]);
    offset_.push_back(offset_[i - channels_]);
  }
}

void BatchNormPlan::RunRow(const Piece& piece) const {
  const bool mixed = piece.channel_step != 0 && piece.count > 1;
  const bool dense = piece.count == 1 || (piece.from_stride == 1 && piece.to_stride == 1);
  if (dense && (mixed ? all_affine_ : is_affine_[piece.channel] != 0)) {
    const auto extent = static_cast<int32_t>(piece.count);
    const int32_t stride = mixed ? 1 : 0;
    BufferView<1> input(piece.from, {{{extent, 1}}});
    BufferView<1> slope(slope_.data() + piece.channel, {{{extent, stride}}});
    BufferView<1> offset(offset_.data() + piece.channel, {{{extent, stride}}});
    BufferView<1> output(piece.to, {{{extent, 1}}});
    affine_(input.get(), input_flip_, slope.get(), offset.get(), lowest_, highest_, flip_,
            output.get());
    return;
  }
  const uint8_t* const table = tables_.data() + piece.channel * kTableBytes;
  if (mixed) {
    LookUpChannels(table, piece.from, piece.from_stride, piece.to, piece.to_stride,
                   piece.count);
  } else {
    LookUpRow(lookup_, table, piece.from, piece.from_stride, piece.to, piece.to_stride,
              piece.count);
  }
}

void BatchNormPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                        void*) const {
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  const int64_t length = loop_.RowLength();
  if (period_ > 0) {
    const int64_t total = loop_.Rows() * length;
    RunItems(threads_, (total + period_ - 1) / period_, [&](int64_t item) {
      const int64_t begin = item * period_;
      RunRow({0, 1, x + begin, 1, y + begin, 1, std::min(period_, total - begin)});
    });
    return;
  }
  const auto [channel_step, x_step, y_step] = loop_.RowStride();
  const int64_t pieces = (length + kPiece - 1) / kPiece;
  RunItems(
      threads_, loop_.Rows() * pieces,
      [&, channel_step = channel_step, x_step = x_step, y_step = y_step](int64_t item) {
        const auto [channel, x_offset, y_offset] = loop_.Offset(item / pieces);
        const int64_t begin = item % pieces * kPiece;
        RunRow({channel + begin * channel_step, channel_step,
                x + x_offset + begin * x_step, x_step, y + y_offset + begin * y_step,
                y_step, std::min(kPiece, length - begin)});
      });
}

}  // namespace qconform::kernels
