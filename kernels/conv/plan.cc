#include "kernels/conv/plan.h"

#include <algorithm>
#include <limits>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/scatter.h"

namespace qconform::kernels {
namespace {

// A chunk of activations that stays in the second-level cache while all blocks of
// channels pass over it.
constexpr int64_t kChunkBytes = 128 * 1024;

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 2'500'000;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

// Centred weight w[o, i, ky, kx] of any strides.
class WeightReader {
 public:
  WeightReader(const ConvGeometry& geometry, const qc_tensor& tensor)
      : tensor_(tensor),
        stride_y_(geometry.weight_y < 0 ? 0 : tensor.stride[geometry.weight_y]),
        stride_x_(tensor.stride[geometry.weight_x]) {}

  int32_t operator()(int64_t o, int64_t i, int64_t ky, int64_t kx) const {
    const int8_t* at = static_cast<const int8_t*>(tensor_.data) + o * tensor_.stride[0] +
                       i * tensor_.stride[1] + ky * stride_y_ + kx * stride_x_;
    return *at - ZeroPoint(tensor_, o);
  }

 private:
  const qc_tensor& tensor_;
  int64_t stride_y_, stride_x_;
};

bool AllZero(const qc_tensor& weight) {
  for (int64_t i = 0; i < weight.qparam_count; ++i) {
    if (weight.zero_point != nullptr && weight.zero_point[i] != 0) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<ConvPlan> ConvPlan::Make(const qc_descriptor& descriptor,
                                         const qc_tensor& weight, const qc_tensor* bias,
                                         bool bias_s32, Path path,
                                         const KernelTable& kernels, int threads,
                                         std::string& reason) {
  auto plan = std::make_unique<ConvPlan>();
  ConvGeometry& g = plan->geometry_;
  if (!ReadConvGeometry(descriptor, g, reason)) return nullptr;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  RequantizeParameters parameters;
  if (!ComputeRequantizeParameters(x, weight, bias, y, *descriptor.attributes, bias_s32,
                                   parameters, reason)) {
    return nullptr;
  }
  plan->map_ = {x.dtype == QC_S8, ZeroPoint(x, 0)};
  plan->ChooseKernels(path, kernels, AllZero(weight));
  plan->packed_ = LayOutInput(g, Lanes(path));
  if (plan->packed_.elements > kMaximumElements ||
      g.OutputShape().Pixels() * g.Outputs() > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return nullptr;
  }
  plan->pixels_ = g.OutputShape().Pixels();
  int64_t pixel_stride = 0;
  const bool direct = plan->pixels_ >= plan->MinimumPixels() &&
                      IsPixelMatrix(g.OutputShape(), StridesOf(g, y), pixel_stride);
  if (plan->pixels_ > 0 && plan->pixels_ < plan->MinimumPixels()) {
    // Too few for a tile: the rest of the tile repeats the first pixel.
    plan->pixels_ = plan->MinimumPixels();
    plan->packed_.pixel_offset.resize(plan->pixels_, plan->packed_.pixel_offset[0]);
  }
  plan->column_groups_ = g.Depthwise() ? 1 : g.groups;
  plan->group_columns_ = g.Depthwise() ? g.Outputs() : g.group_outputs;
  plan->columns_ =
      CutColumns(plan->group_columns_, plan->wide_tile_, plan->narrow_tile_, direct);
  plan->PackConstants(weight, parameters);
  const int64_t products = plan->pixels_ * plan->column_groups_ * plan->columns_.padded *
                           plan->weight_.reduction;
  plan->threads_ = products < kSerialProducts ? 1 : std::max(1, threads);
  plan->CutTasks();
  plan->staged_ = plan->columns_.padded - plan->columns_.first_staged;
  plan->staging_offset_ =
      AlignUp(plan->packed_.elements * (plan->bytes_ ? 1 : sizeof(int16_t)));
  plan->staging_bytes_ = AlignUp(plan->column_groups_ * plan->pixels_ * plan->staged_);
  return plan;
}

void ConvPlan::ChooseKernels(Path path, const KernelTable& kernels,
                             bool weight_is_centred) {
  narrow_tile_ = NarrowTile(path);
  if (geometry_.Depthwise()) {
    narrow_ = kernels.conv_depthwise_i16;
    narrow_tile_ = DepthwiseTile(path);
    return;
  }
  wide_tile_ = WideTile(path);
  // Weights less a zero point need nine bits, which rules bytes out.
  bytes_ = kernels.conv_wide_u8 != nullptr && weight_is_centred;
  wide_ = bytes_ ? kernels.conv_wide_u8 : kernels.conv_wide_i16;
  narrow_ = bytes_ ? kernels.conv_narrow_u8 : kernels.conv_narrow_i16;
  group_ = bytes_ ? 4 : 2;
}

int ConvPlan::MinimumPixels() const {
  return std::max(wide_tile_.rows, narrow_tile_.rows);
}

void ConvPlan::PackConstants(const qc_tensor& weight,
                             const RequantizeParameters& parameters) {
  const ConvGeometry& g = geometry_;
  const WeightReader read(g, weight);
  const int64_t run = (packed_.run + group_ - 1) / group_ * group_;
  const int64_t reduction = run * static_cast<int64_t>(packed_.tap_offset.size());
  const auto value = [&](int64_t group, int64_t channel, int64_t k) -> int32_t {
    const int64_t tap = k / run, i = k % run;
    if (i >= packed_.run) return 0;
    const int64_t o = group * group_columns_ + channel;
    if (g.Depthwise()) {
      const int64_t pairs = (g.x.kernel + 1) / 2;
      const int64_t kx = tap % pairs * 2 + i;
      return kx < g.x.kernel ? read(o, 0, tap / pairs, kx) : 0;
    }
    if (packed_.row_is_run) {
      return read(o, i % g.group_inputs, tap, i / g.group_inputs);
    }
    return read(o, i, tap / g.x.kernel, tap % g.x.kernel);
  };
  weight_ = bytes_ ? PackWeight<int8_t>(columns_, column_groups_, group_columns_,
                                        reduction, group_, value)
                   : PackWeight<int16_t>(columns_, column_groups_, group_columns_,
                                         reduction, group_, value);

  const int64_t padded = column_groups_ * columns_.padded;
  parameters_ = parameters;
  parameters_.start.assign(padded, 0);
  parameters_.bias.assign(padded, 0.0f);
  parameters_.multiplier.assign(padded, 0.0f);
  // Bytes keep their zero point: sum((a - z) w) = sum(a w) - z sum(w), and padding
  // written as z contributes nothing.
  const uint32_t zero = bytes_ ? ZeroCode(map_, static_cast<const uint8_t*>(nullptr)) : 0;
  for (int64_t group = 0; group < column_groups_; ++group) {
    for (int64_t c = 0; c < group_columns_; ++c) {
      const int64_t from = group * group_columns_ + c, to = ColumnsOf(group) + c;
      parameters_.start[to] =
          static_cast<int32_t>(static_cast<uint32_t>(parameters.start[from]) -
                               zero * static_cast<uint32_t>(weight_.channel_sum[to]));
      parameters_.bias[to] = parameters.bias[from];
      parameters_.multiplier[to] = parameters.multiplier[from];
    }
  }
}

void ConvPlan::CutTasks() {
  if (pixels_ == 0) return;
  const int64_t tile = MinimumPixels();
  const int64_t pixel_bytes =
      std::max<int64_t>(1, packed_.elements * (bytes_ ? 1 : 2) / pixels_);
  int64_t chunk = std::max(kChunkBytes / pixel_bytes / tile, int64_t{4}) * tile;
  const int64_t wanted = threads_ > 1 ? 4 * threads_ : 1;
  const int64_t shares = (pixels_ + chunk - 1) / chunk * column_groups_;
  int64_t parts = (wanted + shares - 1) / shares;  // of a section's blocks
  for (int64_t group = 0; group < column_groups_; ++group) {
    for (int64_t first = 0; first < pixels_;) {
      // A chunk has a tile at least, so the last one may be longer.
      const int64_t left = pixels_ - first;
      const int64_t count = left < chunk + tile ? left : chunk;
      for (const Section& section : columns_.sections) {
        const int64_t each = (section.blocks + parts - 1) / parts;
        for (int64_t block = 0; block < section.blocks; block += each) {
          tasks_.push_back({&section, group, block,
                            std::min(each, section.blocks - block), first, count});
        }
      }
      first += count;
    }
  }
}

void ConvPlan::RunTask(const Task& task, const void* packed, uint8_t* output,
                       int64_t pixel_stride, uint8_t* staging) const {
  const Section& section = *task.section;
  const Tile tile = section.tile;
  const int64_t channel = section.first + task.first_block * tile.Block();
  const int64_t column = ColumnsOf(task.group) + channel;
  const int32_t count = static_cast<int32_t>(task.blocks * tile.Block());
  const int32_t taps = static_cast<int32_t>(packed_.tap_offset.size());
  const int32_t pixels = static_cast<int32_t>(task.pixels);
  const int32_t block_elements = static_cast<int32_t>(weight_.reduction * tile.Block());
  const int32_t tap_elements = block_elements / taps;

  const int64_t skip =
      geometry_.Depthwise() ? 2 * channel : task.group * geometry_.group_inputs;
  const std::array<Dimension, 1> input_size = {
      {{static_cast<int32_t>(packed_.elements - skip), 1}}};
  BufferView<1> input =
      bytes_ ? BufferView<1>(static_cast<const uint8_t*>(packed) + skip, input_size)
             : BufferView<1>(static_cast<const int16_t*>(packed) + skip, input_size);
  BufferView<1> pixel_offset(packed_.pixel_offset.data() + task.first_pixel,
                             {{{pixels, 1}}});
  BufferView<1> tap_offset(packed_.tap_offset.data(), {{{taps, 1}}});
  const std::array<Dimension, 6> weight_size = {
      {{group_, 1},
       {tile.lanes, group_},
       {tile.vectors, group_ * tile.lanes},
       {tap_elements / (group_ * tile.Block()), group_ * tile.Block()},
       {taps, tap_elements},
       {static_cast<int32_t>(task.blocks), block_elements}}};
  BufferView<6> weight =
      bytes_ ? BufferView<6>(weight_.Block<int8_t>(columns_, task.group, channel),
                             weight_size)
             : BufferView<6>(weight_.Block<int16_t>(columns_, task.group, channel),
                             weight_size);
  BufferView<1> start(parameters_.start.data() + column, {{{count, 1}}});
  BufferView<1> bias(parameters_.bias.data() + column, {{{count, 1}}});
  BufferView<1> multiplier(parameters_.multiplier.data() + column, {{{count, 1}}});
  uint8_t* at;
  int64_t stride;
  if (section.direct) {
    at = output + task.group * group_columns_ + channel + task.first_pixel * pixel_stride;
    stride = pixel_stride;
  } else {
    at = staging + (task.group * pixels_ + task.first_pixel) * staged_ + channel -
         columns_.first_staged;
    stride = staged_;
  }
  BufferView<2> result(at, {{{count, 1}, {pixels, static_cast<int32_t>(stride)}}});
  (section.wide ? wide_ : narrow_)(
      input.get(), pixel_offset.get(), tap_offset.get(), weight.get(), start.get(),
      bias.get(), multiplier.get(), parameters_.lower, parameters_.upper,
      parameters_.zero_point, parameters_.flip, result.get());
}

void ConvPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void* workspace) const {
  const qc_tensor& x = *inputs[0];
  const qc_tensor& y = *outputs[0];
  if (tasks_.empty()) return;
  const ConvGeometry& g = geometry_;
  const ImageStride from = StridesOf(g, x), to = StridesOf(g, y);
  const uint8_t* const source = static_cast<const uint8_t*>(x.data);
  uint8_t* const output = static_cast<uint8_t*>(y.data);
  uint8_t* const staging = static_cast<uint8_t*>(workspace) + staging_offset_;
  int64_t pixel_stride = 0;
  IsPixelMatrix(g.OutputShape(), to, pixel_stride);

  const auto pack = [&](int64_t row) {
    if (bytes_) {
      PackRow(packed_, source, from, map_, row, static_cast<uint8_t*>(workspace));
    } else {
      PackRow(packed_, source, from, map_, row, static_cast<int16_t*>(workspace));
    }
  };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[i], workspace, output, pixel_stride, staging);
  };
  const int64_t rows = g.batch * g.y.output;  // of one group
  const auto scatter = [&](int64_t i) {
    const int64_t group = i / rows, row = i % rows;
    const int64_t channel = group * group_columns_ + columns_.first_staged;
    ScatterRow(staging + (group * pixels_ + row * g.x.output) * staged_, staged_,
               g.x.output, group_columns_ - columns_.first_staged,
               output + row / g.y.output * to.batch + row % g.y.output * to.height +
                   channel * to.channel,
               to);
  };
  RunPhases(threads_, packed_.Rows(), pack, static_cast<int64_t>(tasks_.size()), compute,
            staged_ > 0 ? column_groups_ * rows : 0, scatter);
}

}  // namespace qconform::kernels
