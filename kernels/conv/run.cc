// What a planned convolution does with activations.
#include <algorithm>

#include "kernels/conv/plan.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/scatter.h"
#include "kernels/requantize/real_rows.h"

namespace qconform::kernels {

void ConvPlan::RunTask(const Task& task, const void* packed, uint8_t* output,
                       int64_t pixel_stride, uint8_t* staging) const {
  const Phase& phase = *task.phase;
  const Section& section = *task.section;
  const Tile tile = section.tile;
  const int64_t channel = section.first + task.first_block * tile.Block();
  const int64_t column = ColumnsOf(task.group) + channel;
  const int32_t count = static_cast<int32_t>(task.blocks * tile.Block());
  const int32_t taps = static_cast<int32_t>(phase.layout.tap_offset.size());
  const int32_t pixels = static_cast<int32_t>(task.pixels);
  const int32_t run =
      static_cast<int32_t>((phase.layout.run + group_ - 1) / group_ * group_);

  const int64_t skip =
      geometry_.Depthwise() ? 2 * channel : task.group * geometry_.group_inputs;
  const std::array<Dimension, 1> input_size = {
      {{static_cast<int32_t>(packed_.elements - skip), 1}}};
  BufferView<1> input =
      bytes_ ? BufferView<1>(static_cast<const uint8_t*>(packed) + skip, input_size)
             : BufferView<1>(static_cast<const int16_t*>(packed) + skip, input_size);
  BufferView<1> pixel_offset(phase.layout.pixel_offset.data() + task.first_pixel,
                             {{{pixels, 1}}});
  BufferView<1> tap_offset(phase.layout.tap_offset.data(), {{{taps, 1}}});
  const std::array<Dimension, 6> weight_size = {
      {{group_, 1},
       {tile.lanes, group_},
       {tile.vectors, group_ * tile.lanes},
       {run / group_, group_ * tile.Block()},
       {taps, run * tile.Block()},
       {static_cast<int32_t>(task.blocks),
        static_cast<int32_t>(phase.weight.reduction * tile.Block())}}};
  BufferView<6> weight =
      bytes_ ? BufferView<6>(phase.weight.Block<int8_t>(columns_, task.group, channel),
                             weight_size)
             : BufferView<6>(phase.weight.Block<int16_t>(columns_, task.group, channel),
                             weight_size);
  BufferView<1> start(phase.start.data() + column, {{{count, 1}}});
  BufferView<1> bias(bias_.data() + column, {{{count, 1}}});
  BufferView<1> multiplier(multiplier_.data() + column, {{{count, 1}}});
  const int64_t stride = section.direct ? pixel_stride : staged_;
  const int64_t first =
      section.direct ? task.group * group_columns_ + channel + task.first_pixel * stride
                     : (phase.first_staged * column_groups_ + task.group * phase.pixels +
                        task.first_pixel) *
                               stride +
                           channel - columns_.first_staged;
  uint8_t* const at =
      (section.direct ? output : staging) + first * parameters_.ResultBytes();
  const std::array<Dimension, 2> result_size = {
      {{count, 1}, {pixels, static_cast<int32_t>(stride)}}};
  auto* const sums = reinterpret_cast<int32_t*>(at);
  BufferView<2> result = parameters_.kind == ResultKind::kCodes
                             ? BufferView<2>(at, result_size)
                             : BufferView<2>(sums, result_size);
  (section.wide ? wide_ : narrow_)(
      input.get(), pixel_offset.get(), tap_offset.get(), weight.get(), start.get(),
      bias.get(), multiplier.get(), parameters_.lower, parameters_.upper,
      parameters_.zero_point, parameters_.flip, result.get());
  if (parameters_.kind == ResultKind::kReal) {
    AccumulatorsToReal(path_, sums, stride, pixels, count, multiplier_.data() + column,
                       bias_.data() + column, parameters_.lower, parameters_.upper);
  }
}

void ConvPlan::Scatter(const Phase& phase, int64_t group, int64_t row,
                       const uint8_t* staging, uint8_t* output,
                       const ImageStride& stride) const {
  const auto& [z, y, x] = phase.layout.of;
  const int64_t channel = group * group_columns_ + columns_.first_staged;
  const int64_t channels = group_columns_ - columns_.first_staged;
  const int64_t at_y = row % y->count, at_z = row / y->count % z->count;
  uint8_t* const to = output + row / y->count / z->count * stride.batch +
                      (z->first + at_z * z->step) * stride.depth +
                      (y->first + at_y * y->step) * stride.height +
                      x->first * stride.width + channel * stride.channel;
  ImageStride step = stride;
  step.width *= x->step;
  const int64_t from =
      (phase.first_staged * column_groups_ + group * phase.pixels + row * x->count) *
      staged_;
  const auto* const sums = reinterpret_cast<const int32_t*>(staging);
  if (parameters_.kind == ResultKind::kCodes) {
    ScatterRow(staging + from, staged_, x->count, channels, to, step,
               [](uint8_t code, int64_t) { return code; });
  } else if (parameters_.kind == ResultKind::kCodesOneByOne) {
    ScatterRow(sums + from, staged_, x->count, channels, to, step,
               [&](int32_t sum, int64_t c) {
                 return static_cast<uint8_t>(std::clamp(
                     parameters_.one_by_one[static_cast<size_t>(channel + c)].Code(sum),
                     parameters_.lowest, parameters_.highest));
               });
  } else {
    ScatterRow(sums + from, staged_, x->count, channels, to, step,
               [](int32_t bits, int64_t) { return bits; });
  }
}

void ConvPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void* workspace) const {
  if (tasks_.empty()) return;
  const qc_tensor& x = *inputs[0];
  const qc_tensor& y = *outputs[0];
  const ConvGeometry& g = geometry_;
  const ImageStride from = StridesOf(g, x), to = StridesOf(g, y);
  const uint8_t* const source = static_cast<const uint8_t*>(x.data);
  uint8_t* const output = static_cast<uint8_t*>(y.data);
  uint8_t* const staging = static_cast<uint8_t*>(workspace) + staging_offset_;
  int64_t pixel_stride = 0;
  IsPixelMatrix(
      {g.batch, g.axes[0].output, g.axes[1].output, g.axes[2].output, g.Outputs()}, to,
      parameters_.ResultBytes(), pixel_stride);

  const auto pack = [&](int64_t row) {
    if (bytes_ && IsArm(path_)) {
      PackRow(packed_, source, from, map_, row, static_cast<int8_t*>(workspace));
    } else if (bytes_) {
      PackRow(packed_, source, from, map_, row, static_cast<uint8_t*>(workspace));
    } else {
      PackRow(packed_, source, from, map_, row, static_cast<int16_t*>(workspace));
    }
  };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[static_cast<size_t>(i)], workspace, output, pixel_stride, staging);
  };
  // Rows of the phases one after the other, of each all groups.
  int64_t rows = 0;
  for (const Phase& phase : phases_) rows += phase.layout.Rows(g.batch) * column_groups_;
  const auto scatter = [&](int64_t i) {
    for (const Phase& phase : phases_) {
      const int64_t own = phase.layout.Rows(g.batch);
      if (i < own * column_groups_) {
        Scatter(phase, i / own, i % own, staging, output, to);
        return;
      }
      i -= own * column_groups_;
    }
  };
  RunPhases(threads_, packed_.Rows(), pack, static_cast<int64_t>(tasks_.size()), compute,
            staged_ > 0 ? rows : 0, scatter);
}

}  // namespace qconform::kernels
