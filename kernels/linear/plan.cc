#include "kernels/linear/plan.h"

#include <algorithm>
#include <limits>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 2'500'000;

// Rows that stay in the second-level cache while all blocks of channels pass over them.
constexpr int64_t kChunkBytes = 128 * 1024;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

// A kernel may read the rest of an instruction's group; it meets weights of zero.
constexpr int64_t kReadAhead = 8;

int64_t LeadingElements(const qc_tensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i + 1 < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

// Bytes from the first element to row `row` of a tensor seen as [.., last].
int64_t RowOffset(const qc_tensor& tensor, int64_t row) {
  int64_t offset = 0;
  for (int i = tensor.rank - 2; i >= 0; --i) {
    offset += row % tensor.shape[i] * tensor.stride[i];
    row /= tensor.shape[i];
  }
  return offset;
}

// Whether all rows lie equally far apart with their elements side by side.
bool IsMatrix(const qc_tensor& tensor, int64_t& row_stride) {
  const int64_t columns = tensor.shape[tensor.rank - 1];
  if (columns > 1 && tensor.stride[tensor.rank - 1] != 1) return false;
  row_stride = columns;
  int64_t below = 0;  // rows in the dimensions seen so far, 0: none yet
  for (int i = tensor.rank - 2; i >= 0; --i) {
    if (tensor.shape[i] == 1) continue;
    if (below == 0) {
      row_stride = tensor.stride[i];
      below = tensor.shape[i];
    } else if (tensor.stride[i] == row_stride * below) {
      below *= tensor.shape[i];
    } else {
      return false;
    }
  }
  return row_stride >= columns && row_stride <= INT32_MAX;
}

}  // namespace

std::unique_ptr<LinearPlan> LinearPlan::Make(const qc_descriptor& descriptor,
                                             const qc_tensor& weight,
                                             const qc_tensor* bias, bool bias_s32,
                                             Path path, const KernelTable& kernels,
                                             int threads, std::string& reason) {
  auto plan = std::make_unique<LinearPlan>();
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  plan->n_ = weight.shape[0];
  plan->k_ = weight.shape[1];
  plan->m_ = LeadingElements(x);
  RequantizeParameters parameters;
  if (!ComputeRequantizeParameters(x, weight, bias, y, *descriptor.attributes, bias_s32,
                                   parameters, reason)) {
    return nullptr;
  }
  if (plan->m_ * plan->k_ > kMaximumElements || plan->m_ * plan->n_ > kMaximumElements ||
      plan->n_ * plan->k_ > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return nullptr;
  }
  plan->map_ = {x.dtype == QC_S8, ZeroPoint(x, 0)};
  bool centred = true;
  for (int64_t i = 0; i < weight.qparam_count && weight.zero_point != nullptr; ++i) {
    centred = centred && weight.zero_point[i] == 0;
  }
  plan->ChooseKernel(path, kernels, centred);
  int64_t row_stride = 0;
  const bool direct = plan->m_ >= plan->tile_.rows && IsMatrix(y, row_stride);
  plan->rows_ = plan->m_ == 0 ? 0 : std::max<int64_t>(plan->m_, plan->tile_.rows);
  plan->columns_ = CutColumns(plan->n_, Tile{}, plan->tile_, direct);
  plan->PackConstants(weight, parameters);
  const int64_t products = plan->rows_ * plan->columns_.padded * plan->k_;
  plan->threads_ = products < kSerialProducts ? 1 : std::max(1, threads);
  plan->CutTasks();
  plan->staged_ = plan->columns_.padded - plan->columns_.first_staged;
  plan->staging_offset_ = AlignUp((plan->rows_ * plan->k_ + kReadAhead) *
                                  (plan->bytes_ ? 1 : sizeof(int16_t)));
  plan->staging_bytes_ = AlignUp(plan->rows_ * plan->staged_);
  return plan;
}

void LinearPlan::ChooseKernel(Path path, const KernelTable& kernels,
                              bool weight_is_centred) {
  bytes_ = kernels.linear_tile_u8 != nullptr && weight_is_centred;
  group_ = bytes_ ? 4 : 2;
  // Weights less a zero point need nine bits: no bytes, and no kernel for one row.
  const bool one_row = m_ < LinearTile(path).rows && weight_is_centred;
  tile_ = one_row ? LinearRow(path) : LinearTile(path);
  byte_weight_ = bytes_ || one_row;
  kernel_ = bytes_ ? (one_row ? kernels.linear_row_u8 : kernels.linear_tile_u8)
                   : (one_row ? kernels.linear_row_i16 : kernels.linear_tile_i16);
}

void LinearPlan::PackConstants(const qc_tensor& weight,
                               const RequantizeParameters& parameters) {
  const auto value = [&](int64_t, int64_t channel, int64_t k) -> int32_t {
    if (k >= k_) return 0;
    const int8_t* at = static_cast<const int8_t*>(weight.data) +
                       channel * weight.stride[0] + k * weight.stride[1];
    return *at - ZeroPoint(weight, channel);
  };
  const int64_t reduction = (k_ + group_ - 1) / group_ * group_;
  weight_ = byte_weight_ ? PackWeight<int8_t>(columns_, 1, n_, reduction, group_, value)
                         : PackWeight<int16_t>(columns_, 1, n_, reduction, group_, value);
  parameters_ = parameters;
  parameters_.start.resize(columns_.padded, 0);
  parameters_.bias.resize(columns_.padded, 0.0f);
  parameters_.multiplier.resize(columns_.padded, 0.0f);
  if (!bytes_) return;
  // Bytes keep their zero point: sum((a - z) w) = sum(a w) - z sum(w).
  const uint32_t zero = ZeroCode(map_, static_cast<const uint8_t*>(nullptr));
  for (int64_t c = 0; c < n_; ++c) {
    parameters_.start[c] =
        static_cast<int32_t>(static_cast<uint32_t>(parameters_.start[c]) -
                             zero * static_cast<uint32_t>(weight_.channel_sum[c]));
  }
}

void LinearPlan::CutTasks() {
  const int64_t tile = tile_.rows;
  const int64_t row_bytes = std::max<int64_t>(1, k_ * (bytes_ ? 1 : 2));
  const int64_t chunk = std::max(kChunkBytes / row_bytes / tile, int64_t{4}) * tile;
  const int64_t shares = (rows_ + chunk - 1) / chunk;
  const int64_t wanted = threads_ > 1 ? 4 * threads_ : 1;
  for (int64_t first = 0; first < rows_;) {
    const int64_t left = rows_ - first;
    const int64_t count = left < chunk + tile ? left : chunk;
    const int64_t parts = (wanted + shares - 1) / shares;
    for (const Section& section : columns_.sections) {
      const int64_t each = (section.blocks + parts - 1) / parts;
      for (int64_t block = 0; block < section.blocks; block += each) {
        tasks_.push_back(
            {&section, block, std::min(each, section.blocks - block), first, count});
      }
    }
    first += count;
  }
}

void LinearPlan::RunTask(const Task& task, const void* packed, uint8_t* output,
                         int64_t row_stride, uint8_t* staging) const {
  const Section& section = *task.section;
  const int32_t block = tile_.Block();
  const int64_t channel = section.first + task.first_block * block;
  const int32_t count = static_cast<int32_t>(task.blocks * block);
  const int32_t rows = static_cast<int32_t>(task.rows);
  const int32_t k = static_cast<int32_t>(k_);
  const int32_t steps = static_cast<int32_t>(weight_.reduction / group_);
  const std::array<Dimension, 2> input_size = {{{k, 1}, {rows, k}}};
  const int64_t skip = task.first_row * k_;
  BufferView<2> input =
      bytes_ ? BufferView<2>(static_cast<const uint8_t*>(packed) + skip, input_size)
             : BufferView<2>(static_cast<const int16_t*>(packed) + skip, input_size);
  const std::array<Dimension, 5> weight_size = {
      {{group_, 1},
       {tile_.lanes, group_},
       {tile_.vectors, group_ * tile_.lanes},
       {steps, group_ * block},
       {static_cast<int32_t>(task.blocks),
        static_cast<int32_t>(weight_.reduction * block)}}};
  BufferView<5> weight =
      byte_weight_
          ? BufferView<5>(weight_.Block<int8_t>(columns_, 0, channel), weight_size)
          : BufferView<5>(weight_.Block<int16_t>(columns_, 0, channel), weight_size);
  BufferView<1> start(parameters_.start.data() + channel, {{{count, 1}}});
  BufferView<1> bias(parameters_.bias.data() + channel, {{{count, 1}}});
  BufferView<1> multiplier(parameters_.multiplier.data() + channel, {{{count, 1}}});
  const int64_t stride = section.direct ? row_stride : staged_;
  uint8_t* const at = section.direct ? output + channel + task.first_row * stride
                                     : staging + channel - columns_.first_staged +
                                           task.first_row * stride;
  BufferView<2> result(at, {{{count, 1}, {rows, static_cast<int32_t>(stride)}}});
  kernel_(input.get(), weight.get(), start.get(), bias.get(), multiplier.get(),
          parameters_.lower, parameters_.upper, parameters_.zero_point, parameters_.flip,
          result.get());
}

void LinearPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                     void* workspace) const {
  const qc_tensor& x = *inputs[0];
  const qc_tensor& y = *outputs[0];
  if (tasks_.empty()) return;
  const uint8_t* const source = static_cast<const uint8_t*>(x.data);
  uint8_t* const output = static_cast<uint8_t*>(y.data);
  uint8_t* const staging = static_cast<uint8_t*>(workspace) + staging_offset_;
  int64_t row_stride = 0;
  IsMatrix(y, row_stride);

  // Rows beyond the caller's fill the tile; nobody reads what comes of them.
  const auto pack = [&](int64_t row) {
    const uint8_t* from = source + RowOffset(x, std::min(row, m_ - 1));
    const int64_t stride = x.stride[x.rank - 1];
    if (bytes_) {
      CopyCodes(from, stride, k_, map_, static_cast<uint8_t*>(workspace) + row * k_, 1);
    } else {
      CopyCodes(from, stride, k_, map_, static_cast<int16_t*>(workspace) + row * k_, 1);
    }
  };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[i], workspace, output, row_stride, staging);
  };
  const auto scatter = [&](int64_t row) {
    const uint8_t* from = staging + row * staged_;
    const int64_t stride = y.stride[y.rank - 1];
    uint8_t* to = output + RowOffset(y, row) + columns_.first_staged * stride;
    for (int64_t c = columns_.first_staged; c < n_; ++c, to += stride) *to = *from++;
  };
  RunPhases(threads_, rows_, pack, static_cast<int64_t>(tasks_.size()), compute,
            staged_ > 0 ? m_ : 0, scatter);
}

}  // namespace qconform::kernels
