#include "kernels/linear/plan.h"

#include <algorithm>
#include <limits>

#include "kernels/linear/matrix_rows.h"
#include "kernels/requantize/weighted_check.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 2'500'000;

// Rows that stay in the second-level cache while all blocks of channels pass over them.
constexpr int64_t kChunkBytes = 128 * 1024;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

// A kernel may read the rest of an instruction's group; it meets weights of zero.
constexpr int64_t kReadAhead = 16;

constexpr int64_t kMostRangeChunks = 64;

}  // namespace

std::unique_ptr<OperatorPlan> LinearPlan::Make(const PlanRequest& request,
                                               const qc_tensor& weight,
                                               const qc_tensor* bias,
                                               std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_attributes& attributes = *descriptor.attributes;
  auto plan = std::make_unique<LinearPlan>();
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  plan->path_ = request.path;
  plan->n_ = weight.shape[0];
  plan->k_ = weight.shape[1];
  plan->m_ = LeadingElements(x);
  if (plan->m_ * plan->k_ > kMaximumElements || plan->m_ * plan->n_ > kMaximumElements ||
      plan->n_ * plan->k_ > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return nullptr;
  }
  plan->dynamic_ = attributes.dynamic != 0;
  plan->reduce_range_ = attributes.reduce_range != 0;
  plan->constants_.emplace(weight, plan->n_, bias, request.scheme);
  // A dynamic input's scale comes with the input.
  plan->parameters_ =
      plan->constants_->Parameters(plan->dynamic_ ? 1.0f : ScaleAt(x), y, attributes);
  if (!plan->dynamic_) plan->map_ = {x.dtype == QC_S8, ZeroPointAt(x)};
  plan->ChooseKernel(request.kernels, CentredWeightIsByte(weight));
  int64_t row_stride = 0;
  const bool direct = plan->m_ >= plan->tile_.rows &&
                      plan->parameters_.kind != ResultKind::kCodesOneByOne &&
                      IsMatrix(y, plan->parameters_.ResultBytes(), row_stride);
  plan->rows_ = plan->m_ == 0 ? 0 : std::max<int64_t>(plan->m_, plan->tile_.rows);
  plan->columns_ = CutColumns(plan->n_, Tile{}, plan->tile_, direct);
  plan->PackConstants(weight);
  const int64_t products = plan->rows_ * plan->columns_.padded * plan->k_;
  plan->threads_ = products < kSerialProducts ? 1 : std::max(1, request.threads);
  plan->CutTasks();
  plan->LayOutWorkspace();
  return plan;
}

void LinearPlan::ChooseKernel(const KernelTable& kernels, bool weight_is_byte) {
  const bool codes = parameters_.kind == ResultKind::kCodes;
  bytes_ = kernels.linear_tile_u8 != nullptr && weight_is_byte;
  group_ = bytes_ ? ByteGroup(path_) : 2;
  // Weights less a zero point need nine bits: no bytes, and no kernel for one row.
  const bool one_row = m_ < LinearTile(path_).rows && weight_is_byte;
  tile_ = one_row ? LinearRow(path_) : LinearTile(path_);
  byte_weight_ = bytes_ || one_row;
  if (bytes_) {
    kernel_ = one_row ? (codes ? kernels.linear_row_u8 : kernels.linear_row_sum_u8)
                      : (codes ? kernels.linear_tile_u8 : kernels.linear_tile_sum_u8);
  } else {
    kernel_ = one_row ? (codes ? kernels.linear_row_i16 : kernels.linear_row_sum_i16)
                      : (codes ? kernels.linear_tile_i16 : kernels.linear_tile_sum_i16);
  }
  short_sums_ =
      !bytes_ && !one_row && weight_is_byte && kernels.linear_tile_short4 != nullptr;
  if (!short_sums_) return;
  quad_ = codes ? kernels.linear_tile_short4 : kernels.linear_tile_sum_short4;
  pair_ = codes ? kernels.linear_tile_short2 : kernels.linear_tile_sum_short2;
}

void LinearPlan::PackConstants(const qc_tensor& weight) {
  const auto value = [&](int64_t, int64_t channel, int64_t k) -> int32_t {
    if (k >= k_) return 0;
    const auto* at = static_cast<const uint8_t*>(weight.data) +
                     channel * weight.stride[0] + k * weight.stride[1];
    const int32_t code = weight.dtype == QC_S8 ? static_cast<int8_t>(*at) : int32_t{*at};
    return code - ZeroPointAt(weight, channel);
  };
  const int64_t reduction = (k_ + group_ - 1) / group_ * group_;
  weight_ = byte_weight_ ? PackWeight<int8_t>(columns_, 1, n_, reduction, group_, value)
                         : PackWeight<int16_t>(columns_, 1, n_, reduction, group_, value);
  const auto padded = static_cast<size_t>(columns_.padded);
  parameters_.start.resize(padded, 0);
  parameters_.bias.resize(padded, 0.0f);
  parameters_.multiplier.resize(padded, 0.0f);
  const auto zero = static_cast<uint32_t>(ZeroOfBytes(map_, path_));
  if (short_sums_) {
    // Both kernels read whole groups of eight.
    short_weight_ = PackWeight<int8_t>(columns_, 1, n_, (k_ + 7) / 8 * 8, 4, value);
    short_start_ = parameters_.start;
    if (!dynamic_) SubtractZeroPoint(short_weight_, zero, short_start_.data());
  }
  if (bytes_ && !dynamic_) SubtractZeroPoint(weight_, zero, parameters_.start.data());
}

void LinearPlan::SubtractZeroPoint(const PackedWeight& weight, uint32_t zero,
                                   int32_t* start) const {
  for (int64_t c = 0; c < n_; ++c) {
    const int32_t sum = weight.channel_sum[static_cast<size_t>(c)];
    start[c] = static_cast<int32_t>(static_cast<uint32_t>(start[c]) -
                                    zero * static_cast<uint32_t>(sum));
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

void LinearPlan::LayOutWorkspace() {
  staged_ = columns_.padded - columns_.first_staged;
  const int64_t elements = rows_ * k_ + kReadAhead;
  short_offset_ = AlignUp(elements * (bytes_ ? 1 : sizeof(int16_t)));
  staging_offset_ =
      short_offset_ + (short_sums_ ? AlignUp(elements) + AlignUp(rows_) : 0);
  dynamic_offset_ =
      staging_offset_ + AlignUp(rows_ * staged_ * parameters_.ResultBytes());
  workspace_bytes_ = dynamic_offset_;
  if (!dynamic_) return;
  range_chunks_ = std::min(m_, kMostRangeChunks);
  workspace_bytes_ += AlignUp(range_chunks_ * sizeof(RealRange)) +
                      AlignUp(sizeof(DynamicQparams)) +
                      4 * AlignUp(columns_.padded * sizeof(float));
}

LinearPlan::Workspace LinearPlan::PlacesIn(void* workspace) const {
  auto* const bytes = static_cast<uint8_t*>(workspace);
  Workspace work = {};
  work.packed = bytes;
  work.staging = bytes + staging_offset_;
  if (short_sums_) {
    work.packed_bytes = bytes + short_offset_;
    work.sums =
        reinterpret_cast<ShortSum*>(work.packed_bytes + AlignUp(rows_ * k_ + kReadAhead));
  }
  if (!dynamic_) return work;
  uint8_t* at = bytes + dynamic_offset_;
  const auto take = [&](size_t size) {
    uint8_t* const taken = at;
    at += AlignUp(size);
    return taken;
  };
  const size_t column_bytes = columns_.padded * sizeof(float);
  work.ranges = reinterpret_cast<RealRange*>(take(range_chunks_ * sizeof(RealRange)));
  work.qparams = reinterpret_cast<DynamicQparams*>(take(sizeof(DynamicQparams)));
  work.start = reinterpret_cast<int32_t*>(take(column_bytes));
  work.short_start = reinterpret_cast<int32_t*>(take(column_bytes));
  work.bias = reinterpret_cast<float*>(take(column_bytes));
  work.multiplier = reinterpret_cast<float*>(take(column_bytes));
  return work;
}

}  // namespace qconform::kernels
