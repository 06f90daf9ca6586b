#include "kernels/activation/affine_channels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/activation/channel_tables.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/row_pieces.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kPiece = 1 << 14;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 17;
constexpr int64_t kSerialClamps = 1 << 20;

// Parameters of so many codes are laid out beside each other where channels are fewer.
constexpr int64_t kPeriod = 2048;

// How many of the codes from `begin` to `end` the kernel's arithmetic would miss.
int Wrong(const float* expected, int begin, int end, float slope, float offset,
          float lowest, float highest) {
  int wrong = 0;
  for (int k = begin; k < end; ++k) {
    const float scaled = static_cast<float>(k) * slope + offset;
    const float clamped = std::min(std::max(scaled, lowest), highest);
    // As the kernel rounds, see requantize/epilogue.h.
    constexpr float kMagic = 12582912.0f;
    wrong += (clamped + kMagic) - kMagic != expected[k] ? 1 : 0;
  }
  return wrong;
}

// The definition rounds several times on its way to the code; one multiplication and one
// addition differ from it only where a value lies within some 1e-5 of a tie, and there a
// slightly other offset often puts it on the right side. What counts is that all codes
// come out right, which is tried. Leaves in `offset` what was found.
bool Fit(const float* expected, int begin, int end, float slope, float lowest,
         float highest, float& offset) {
  const float guess = offset;
  const float step = std::ldexp(std::max(std::fabs(guess), std::fabs(slope) * 255), -24);
  for (const int steps : {0, 1, -1, 2, -2, 4, -4, 8, -8, 16, -16}) {
    offset = guess + step * static_cast<float>(steps);
    if (Wrong(expected, begin, end, slope, offset, lowest, highest) == 0) return true;
  }
  return false;
}

}  // namespace

// A run of codes whose channels are one, or side by side.
struct AffineChannelsPlan::Piece {
  int64_t channel, channel_step;
  const uint8_t* from;
  int64_t from_stride;
  uint8_t* to;
  int64_t to_stride;
  int64_t count;
};

AffineChannelsPlan::AffineChannelsPlan(const PlanRequest& request, AffineGuess guess)
    : channels_(static_cast<int64_t>(guess.slope.size())),
      tables_(static_cast<size_t>(channels_ * kTableBytes)),
      functions_(std::move(guess)),
      is_affine_(static_cast<size_t>(channels_)),
      input_flip_(request.descriptor.inputs[0]->dtype == QC_S8 ? 0x80 : 0),
      flip_(request.descriptor.outputs[0]->dtype == QC_S8 ? 0x80 : 0),
      loop_(ChannelLoop(*request.descriptor.inputs[0], *request.descriptor.outputs[0],
                        channels_)),
      affine_(request.kernels.activation_affine),
      two_affine_(request.kernels.activation_two_affine),
      path_(request.path),
      threads_(request.threads) {
  if (loop_.Rows() * loop_.RowLength() < kSerialCodes) threads_ = 1;
}

std::unique_ptr<OperatorPlan> AffineChannelsPlan::Make(const PlanRequest& request,
                                                       const KeptConstants& operands,
                                                       AffineGuess guess,
                                                       std::string& reason) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  std::unique_ptr<AffineChannelsPlan> plan(
      new AffineChannelsPlan(request, std::move(guess)));
  if (!FillChannelTables(request.descriptor, x, y, operands, nullptr, request.scheme,
                         plan->channels_, plan->tables_.data())) {
    reason = "the tables cannot be computed";
    return nullptr;
  }
  plan->FitChannels();
  plan->ChooseLookup();
  plan->RepeatChannels(x, y);
  return plan;
}

void AffineChannelsPlan::FitChannels() {
  uint8_t low = 255, high = 0;
  for (const uint8_t byte : tables_) {
    low = std::min<uint8_t>(low, byte ^ flip_);
    high = std::max<uint8_t>(high, byte ^ flip_);
  }
  lowest_ = low;
  highest_ = high;
  const int middle = functions_.threshold + 1;
  bool fits_above = true;
  for (size_t c = 0; c < functions_.slope.size(); ++c) {
    float expected[kTableBytes];
    for (int k = 0; k < kTableBytes; ++k)
      expected[k] = tables_[c * kTableBytes + (k ^ input_flip_)] ^ flip_;
    if (c == 0) {
      fits_above = Fit(expected, middle, kTableBytes, functions_.upper_slope, lowest_,
                       highest_, functions_.upper_offset);
    }
    is_affine_[c] = fits_above && Fit(expected, 0, middle, functions_.slope[c], lowest_,
                                      highest_, functions_.offset[c]);
    if (is_affine_[c] == 0) {
      const auto channel = static_cast<int64_t>(c);
      looked_up_.push_back({channel, channel * kTableBytes});
    }
  }
  few_looked_up_ = static_cast<int64_t>(looked_up_.size()) * 4 <= channels_;
}

// 256 bits of codes are looked up in half the time of 32 multiplications and additions;
// on other paths the arithmetic is as fast.
void AffineChannelsPlan::ChooseLookup() {
  if (channels_ != 1) return;
  CodeTable table;
  std::copy_n(tables_.begin(), table.size(), table.begin());
  lookup_.emplace(table, path_);
  if (lookup_->only_clamps() && loop_.Rows() * loop_.RowLength() < kSerialClamps)
    threads_ = 1;
  if (path_ != Path::kAvx2 && is_affine_[0] != 0 && !lookup_->only_clamps())
    lookup_.reset();
}

// Pixels of few channels would be short rows: where whole tensors are dense, so many
// pixels are taken at once that a row is long.
void AffineChannelsPlan::RepeatChannels(const qc_tensor& x, const qc_tensor& y) {
  const StridedLoop<2> flat(y.shape, y.rank,
                            {BroadcastStrides(x, y), BroadcastStrides(y, y)});
  if (!few_looked_up_ || flat.Rows() != 1 || loop_.RowStride()[0] != 1) return;
  for (const int64_t stride : flat.RowStride())
    if (stride != 1) return;
  const int64_t pixels = std::max<int64_t>(kPeriod / channels_, 1);
  period_ = pixels * channels_;
  functions_.slope.reserve(static_cast<size_t>(period_));
  functions_.offset.reserve(static_cast<size_t>(period_));
  for (int64_t pixel = 1, count = looked_up_.size(); pixel < pixels; ++pixel)
    for (int64_t i = 0; i < count; ++i)
      looked_up_.push_back({looked_up_[i].at + pixel * channels_, looked_up_[i].table});
  for (int64_t i = channels_; i < period_; ++i) {
    functions_.slope.push_back(functions_.slope[i - channels_]);
    functions_.offset.push_back(functions_.offset[i - channels_]);
  }
}

// The channels of a mixed row that are not affine.
void AffineChannelsPlan::PutRight(const Piece& piece) const {
  const int64_t end = piece.channel + piece.count;
  auto of = std::lower_bound(
      looked_up_.begin(), looked_up_.end(), piece.channel,
      [](const LookedUp& channel, int64_t at) { return channel.at < at; });
  for (; of != looked_up_.end() && of->at < end; ++of) {
    const int64_t i = of->at - piece.channel;
    piece.to[i] = tables_[of->table + piece.from[i]];
  }
}

void AffineChannelsPlan::RunRow(const Piece& piece) const {
  const bool mixed = piece.channel_step != 0 && piece.count > 1;
  const bool dense = piece.count == 1 || (piece.from_stride == 1 && piece.to_stride == 1);
  if (dense && lookup_) return lookup_->Row(piece.from, piece.to, piece.count);
  if (dense && (mixed ? few_looked_up_ : is_affine_[piece.channel] != 0)) {
    const auto extent = static_cast<int32_t>(piece.count);
    const int32_t stride = mixed ? 1 : 0;
    BufferView<1> input(piece.from, {{{extent, 1}}});
    BufferView<1> slope(functions_.slope.data() + piece.channel, {{{extent, stride}}});
    BufferView<1> offset(functions_.offset.data() + piece.channel, {{{extent, stride}}});
    BufferView<1> output(piece.to, {{{extent, 1}}});
    if (functions_.threshold == 255) {
      affine_(input.get(), input_flip_, slope.get(), offset.get(), lowest_, highest_,
              flip_, output.get());
    } else {
      two_affine_(input.get(), input_flip_, slope.get(), offset.get(),
                  functions_.threshold, functions_.upper_slope, functions_.upper_offset,
                  lowest_, highest_, flip_, output.get());
    }
    if (mixed) PutRight(piece);
    return;
  }
  const uint8_t* const table = tables_.data() + piece.channel * kTableBytes;
  if (mixed) {
    LookUpChannels(table, piece.from, piece.from_stride, piece.to, piece.to_stride,
                   piece.count);
  } else {
    LookUpRow(table, path_, piece.from, piece.from_stride, piece.to, piece.to_stride,
              piece.count);
  }
}

void AffineChannelsPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                             void*) const {
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  if (period_ > 0) {
    const int64_t total = loop_.Rows() * loop_.RowLength();
    RunItems(threads_, (total + period_ - 1) / period_, [&](int64_t item) {
      const int64_t begin = item * period_;
      RunRow({0, 1, x + begin, 1, y + begin, 1, std::min(period_, total - begin)});
    });
    return;
  }
  const auto [channel_step, x_step, y_step] = loop_.RowStride();
  const RowPieces pieces(loop_, kPiece);
  RunItems(
      threads_, pieces.count(),
      [&, channel_step = channel_step, x_step = x_step, y_step = y_step](int64_t item) {
        const auto [offset, count] = pieces.At(item);
        RunRow({offset[0], channel_step, x + offset[1], x_step, y + offset[2], y_step,
                count});
      });
}

}  // namespace qconform::kernels
