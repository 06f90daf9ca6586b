#include "kernels/conv/plan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/conv/weight_reader.h"
#include "kernels/layout/scatter.h"
#include "kernels/requantize/weighted_check.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// A chunk of activations that stays in the second-level cache while all blocks of
// channels pass over it.
constexpr int64_t kChunkBytes = 128 * 1024;

// Where most of it is read as bytes, less: its results then stay in the cache beside it.
constexpr int64_t kShortChunkBytes = 64 * 1024;

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 2'500'000;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

}  // namespace

std::unique_ptr<OperatorPlan> ConvPlan::Make(const PlanRequest& request,
                                             const qc_tensor& weight,
                                             const qc_tensor* bias, std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  auto plan = std::make_unique<ConvPlan>();
  plan->geometry_ = ReadConvGeometry(descriptor);
  const ConvGeometry& g = plan->geometry_;
  plan->path_ = request.path;
  plan->parameters_ = WeightedConstants(weight, g.Outputs(), bias, request.scheme)
                          .Parameters(ScaleAt(x), y, *descriptor.attributes);
  plan->map_ = {x.dtype == QC_S8, ZeroPointAt(x)};
  plan->ChooseKernels(request.kernels, CentredWeightIsByte(weight));
  plan->column_groups_ = g.Depthwise() ? 1 : g.groups;
  plan->group_columns_ = g.Depthwise() ? g.Outputs() : g.group_outputs;
  if (!plan->PreparePhases(y, reason)) return nullptr;
  plan->PackConstants(weight);
  int64_t products = 0, pixels = 0;
  for (Phase& phase : plan->phases_) {
    phase.first_staged = pixels;
    pixels += phase.pixels;
    products += phase.pixels * plan->column_groups_ * plan->columns_.padded *
                phase.weight.reduction;
  }
  plan->threads_ = products < kSerialProducts ? 1 : std::max(1, request.threads);
  for (const Phase& phase : plan->phases_) plan->CutTasks(phase);
  if (plan->short_sums_) plan->PrepareShortSums(x);
  plan->LayOutWorkspace(pixels);
  return plan;
}

void ConvPlan::LayOutWorkspace(int64_t pixels) {
  const auto elements = static_cast<uint64_t>(packed_.elements);
  bytes_offset_ = AlignUp(elements * (kernels_.bytes ? 1 : sizeof(int16_t)));
  sums_offset_ = bytes_offset_ + (short_sums_ ? AlignUp(elements) : 0);
  staging_offset_ = sums_offset_;
  if (short_sums_) {
    const int64_t sums = packed_.RowElements() / sum_elements_;
    staging_offset_ += AlignUp(packed_.Rows()) + AlignUp(packed_.Rows() * sums);
  }
  staged_ = columns_.padded - columns_.first_staged;
  staging_bytes_ = AlignUp(column_groups_ * pixels * staged_ * parameters_.ResultBytes());
}

void ConvPlan::ChooseKernels(const KernelTable& table, bool weight_is_byte) {
  const bool codes = parameters_.kind == ResultKind::kCodes;
  narrow_tile_ = NarrowTile(path_);
  if (geometry_.Depthwise()) {
    kernels_.narrow = codes ? table.conv_depthwise_i16 : table.conv_depthwise_sum_i16;
    narrow_tile_ = DepthwiseTile(path_);
    return;
  }
  wide_tile_ = WideTile(path_);
  // Weights less a zero point need nine bits, which rules bytes out.
  if (weight_is_byte && table.conv_wide_u8 != nullptr) {
    const int group = ByteGroup(path_);
    kernels_ = codes
                   ? Kernels{table.conv_wide_u8, table.conv_narrow_u8, true, group, group}
                   : Kernels{table.conv_wide_sum_u8, table.conv_narrow_sum_u8, true,
                             group, group};
    return;
  }
  kernels_ = codes ? Kernels{table.conv_wide_i16, table.conv_narrow_i16}
                   : Kernels{table.conv_wide_sum_i16, table.conv_narrow_sum_i16};
  short_sums_ = weight_is_byte && table.conv_wide_short4 != nullptr &&
                geometry_.Inputs() > 0 && geometry_.axes[2].Extent() > 0;
  if (!short_sums_) return;
  // Both read one packing of the weights, in whole groups of eight.
  quad_ = codes ? Kernels{table.conv_wide_short4, table.conv_narrow_short4, true, 4, 8}
                : Kernels{table.conv_wide_sum_short4, table.conv_narrow_sum_short4, true,
                          4, 8};
  pair_ = codes ? Kernels{table.conv_wide_short2, table.conv_narrow_short2, true, 4, 8}
                : Kernels{table.conv_wide_sum_short2, table.conv_narrow_sum_short2, true,
                          4, 8};
}

int ConvPlan::MinimumPixels() const {
  return std::max(wide_tile_.rows, narrow_tile_.rows);
}

bool ConvPlan::PreparePhases(const qc_tensor& y, std::string& reason) {
  const ConvGeometry& g = geometry_;
  packed_ = LayOutInput(g, Lanes(path_), map_.zero_point);
  if (packed_.elements > kMaximumElements ||
      g.Pixels() * g.Outputs() > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return false;
  }
  for (ConvPhase& layout : LayOutPhases(g, packed_)) {
    if (layout.pixel_offset.empty()) continue;
    Phase& phase = phases_.emplace_back();
    phase.layout = std::move(layout);
    // Too few for a tile: the rest of the tile repeats the first pixel.
    std::vector<int32_t>& offset = phase.layout.pixel_offset;
    phase.pixels =
        std::max<int64_t>(static_cast<int64_t>(offset.size()), MinimumPixels());
    offset.resize(static_cast<size_t>(phase.pixels), offset[0]);
  }
  int64_t pixel_stride = 0;
  const bool direct =
      phases_.size() == 1 && phases_[0].pixels == g.Pixels() &&
      parameters_.kind != ResultKind::kCodesOneByOne &&
      IsPixelMatrix(
          {g.batch, g.axes[0].output, g.axes[1].output, g.axes[2].output, g.Outputs()},
          StridesOf(g, y), parameters_.ResultBytes(), pixel_stride);
  columns_ = CutColumns(group_columns_, wide_tile_, narrow_tile_, direct);
  return true;
}

// Without padding or steps, u8 codes side by side; read in whole groups of eight, so that
// nothing is read past the last.
bool ConvPlan::IsPacked(const qc_tensor& x) const {
  if (map_.is_signed || geometry_.group_inputs % 8 != 0) return false;
  for (const Axis& axis : geometry_.axes) {
    if (axis.Extent() != axis.input) return false;
    for (int64_t i = 0; i < axis.input; ++i)
      if (axis.source[static_cast<size_t>(i)] != i) return false;
  }
  int64_t pixel_stride = 0;
  return IsPixelMatrix({geometry_.batch, geometry_.axes[0].input, geometry_.axes[1].input,
                        geometry_.axes[2].input, geometry_.Inputs()},
                       StridesOf(geometry_, x), 1, pixel_stride) &&
         pixel_stride == geometry_.Inputs();
}

void ConvPlan::PrepareShortSums(const qc_tensor& x) {
  packed_already_ = IsPacked(x);
  // Groups of eight that begin at any code may span pixels: then there is one sum a row.
  const bool of_pixels = geometry_.group_inputs % 8 == 0;
  sum_elements_ = of_pixels ? packed_.pixel_elements : packed_.RowElements();
  for (Phase& phase : phases_) {
    const auto places = [&](const std::vector<int32_t>& offsets) {
      std::vector<int32_t> sums;
      for (const int32_t offset : offsets)
        sums.push_back(static_cast<int32_t>(offset / sum_elements_));
      return sums;
    };
    phase.pixel_sum = places(phase.layout.pixel_offset);
    phase.tap_sum = places(phase.layout.tap_offset);
    phase.tap_sum.erase(std::unique(phase.tap_sum.begin(), phase.tap_sum.end()),
                        phase.tap_sum.end());
    if (of_pixels && phase.layout.row_is_run)
      phase.tap_sums = phase.layout.run / packed_.pixel_elements;
  }
  for (const Task& task : tasks_) {
    CutByShortSum(task.pixels, kPiecePixels, [&](int64_t first_pixel, int64_t pixels) {
      const auto [first, last] =
          RowsOf(*task.phase, task.first_pixel + first_pixel, pixels);
      rows_apart_ = std::max(rows_apart_, last - first);
      return ShortSum::kWide;
    });
  }
}

void ConvPlan::PackConstants(const qc_tensor& weight) {
  const auto padded = static_cast<size_t>(column_groups_ * columns_.padded);
  bias_.assign(padded, 0.0f);
  multiplier_.assign(padded, 0.0f);
  for (int64_t group = 0; group < column_groups_; ++group) {
    const int64_t from = group * group_columns_;
    std::copy_n(parameters_.bias.begin() + from, group_columns_,
                bias_.begin() + ColumnsOf(group));
    std::copy_n(parameters_.multiplier.begin() + from, group_columns_,
                multiplier_.begin() + ColumnsOf(group));
  }
  for (Phase& phase : phases_) PackPhase(weight, phase);
}

void ConvPlan::PackPhase(const qc_tensor& weight, Phase& phase) const {
  phase.weight = PackWeightOf(weight, phase, kernels_);
  phase.start = StartOf(phase.weight, kernels_.bytes);
  if (!short_sums_) return;
  phase.short_weight = PackWeightOf(weight, phase, quad_);
  phase.short_start = StartOf(phase.short_weight, quad_.bytes);
}

PackedWeight ConvPlan::PackWeightOf(const qc_tensor& weight, const Phase& phase,
                                    const Kernels& kernels) const {
  const ConvGeometry& g = geometry_;
  const WeightReader read(g, weight);
  const ConvPhase& layout = phase.layout;
  const auto& taps_z = layout.of[0];
  const auto& taps_y = layout.of[1];
  const auto& taps_x = layout.of[2];
  const auto size_y = static_cast<int64_t>(taps_y->taps.size());
  const auto size_x = static_cast<int64_t>(taps_x->taps.size());
  const int64_t run = RunOf(layout, kernels.run_group);
  const int64_t reduction = run * static_cast<int64_t>(layout.tap_offset.size());
  // Kernel rows are numbered over y, then z; `x` counts the taps of a row.
  const auto tap = [&](int64_t o, int64_t i, int64_t row, int64_t x) {
    return read(o, i, taps_z->taps[static_cast<size_t>(row / size_y)].index,
                taps_y->taps[static_cast<size_t>(row % size_y)].index,
                taps_x->taps[static_cast<size_t>(x)].index);
  };
  const auto value = [&](int64_t group, int64_t channel, int64_t k) -> int32_t {
    const int64_t at = k / run, i = k % run;
    if (i >= layout.run) return 0;
    const int64_t o = group * group_columns_ + channel;
    if (g.Depthwise()) {
      const int64_t pairs = (size_x + 1) / 2;
      const int64_t x = at % pairs * 2 + i;
      return x < size_x ? tap(o, 0, at / pairs, x) : 0;
    }
    if (layout.row_is_run) return tap(o, i % g.group_inputs, at, i / g.group_inputs);
    return tap(o, i, at / size_x, at % size_x);
  };
  return kernels.bytes ? PackWeight<int8_t>(columns_, column_groups_, group_columns_,
                                            reduction, kernels.group, value)
                       : PackWeight<int16_t>(columns_, column_groups_, group_columns_,
                                             reduction, kernels.group, value);
}

// Bytes keep their zero point: sum((a - z) w) = sum(a w) - z sum(w), and padding
// written as z contributes nothing.
std::vector<int32_t> ConvPlan::StartOf(const PackedWeight& weight, bool bytes) const {
  std::vector<int32_t> start(bias_.size(), 0);
  const auto zero = static_cast<uint32_t>(bytes ? ZeroOfBytes(map_, path_) : 0);
  for (int64_t group = 0; group < column_groups_; ++group) {
    for (int64_t c = 0; c < group_columns_; ++c) {
      const auto from = static_cast<size_t>(group * group_columns_ + c);
      const auto to = static_cast<size_t>(ColumnsOf(group) + c);
      start[to] =
          static_cast<int32_t>(static_cast<uint32_t>(parameters_.start[from]) -
                               zero * static_cast<uint32_t>(weight.channel_sum[to]));
    }
  }
  return start;
}

void ConvPlan::CutTasks(const Phase& phase) {
  const int64_t tile = MinimumPixels();
  const int64_t pixel_bytes =
      std::max<int64_t>(1, packed_.elements * (kernels_.bytes ? 1 : 2) / phase.pixels);
  const int64_t chunk_bytes = short_sums_ ? kShortChunkBytes : kChunkBytes;
  const int64_t chunk = std::max(chunk_bytes / pixel_bytes / tile, int64_t{8}) * tile;
  const int64_t wanted = threads_ > 1 ? 4 * threads_ : 1;
  const int64_t shares = (phase.pixels + chunk - 1) / chunk * column_groups_;
  const int64_t parts = (wanted + shares - 1) / shares;  // of a section's blocks
  for (int64_t group = 0; group < column_groups_; ++group) {
    for (int64_t first = 0; first < phase.pixels;) {
      // A chunk has a tile at least, so the last one may be longer.
      const int64_t left = phase.pixels - first;
      const int64_t count = left < chunk + tile ? left : chunk;
      for (const Section& section : columns_.sections) {
        const int64_t each = (section.blocks + parts - 1) / parts;
        for (int64_t block = 0; block < section.blocks; block += each) {
          tasks_.push_back({&phase, &section, group, block,
                            std::min(each, section.blocks - block), first, count});
        }
      }
      first += count;
    }
  }
}

}  // namespace qconform::kernels
