// What a planned convolution does with activations.
#include <algorithm>

#include "kernels/conv/plan.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/scatter.h"
#include "kernels/requantize/real_rows.h"

namespace qconform::kernels {

ConvPlan::Workspace ConvPlan::PlacesIn(void* workspace) const {
  auto* const bytes = static_cast<uint8_t*>(workspace);
  auto* const sums = reinterpret_cast<ShortSum*>(bytes + sums_offset_);
  return {workspace, bytes + bytes_offset_, sums, sums + AlignUp(packed_.Rows()),
          bytes + staging_offset_};
}

void ConvPlan::Pack(int64_t row, const qc_tensor& x, const ImageStride& stride,
                    const Workspace& work) const {
  const auto* const source = static_cast<const uint8_t*>(x.data);
  if (kernels_.bytes && IsArm(path_)) {
    PackRow(packed_, source, stride, map_, row, static_cast<int8_t*>(work.packed));
  } else if (kernels_.bytes) {
    PackRow(packed_, source, stride, map_, row, static_cast<uint8_t*>(work.packed));
  } else if (!short_sums_) {
    PackRow(packed_, source, stride, map_, row, static_cast<int16_t*>(work.packed));
  } else {
    if (!packed_already_) PackRow(packed_, source, stride, map_, row, work.packed_bytes);
    SumRow(row, work);
  }
}

void ConvPlan::SumRow(int64_t row, const Workspace& work) const {
  const int64_t codes = packed_.RowElements();
  const int64_t count = codes / sum_elements_;
  const uint8_t* const begin = work.packed_bytes + row * codes;
  ShortSum* const sums = work.sums + row * count;
  if (count == 1) {
    work.row_sums[row] = *sums = geometry_.group_inputs % 8 == 0
                                     ? ShortSumOf(begin, codes)
                                     : ShortSumAnywhere(begin, codes);
    return;
  }
  // Codes around a zero point from 64 on are hardly ever four in 255: one look at the row
  // finds that all are pairs.
  if (4 * ZeroOfBytes(map_, path_) > 255 &&
      (work.row_sums[row] = ShortSumOf(begin, codes)) != ShortSum::kWide) {
    std::fill(sums, sums + count, work.row_sums[row]);
    return;
  }
  work.row_sums[row] = ShortSumsOf(begin, count, sum_elements_, sums);
}

// In 16 bits, where a tile of pixels that reads the row may have to be computed so.
void ConvPlan::PackWide(int64_t row, const qc_tensor& x, const ImageStride& stride,
                        const Workspace& work) const {
  const int64_t first = std::max<int64_t>(row - rows_apart_, 0);
  const int64_t last = std::min(row + rows_apart_, packed_.Rows() - 1);
  if (WidestOf(work.row_sums, first, last) == ShortSum::kWide) {
    PackRow(packed_, static_cast<const uint8_t*>(x.data), stride, map_, row,
            static_cast<int16_t*>(work.packed));
  }
}

// The first and last row of the packed images between the first and last that they read.
std::pair<int64_t, int64_t> ConvPlan::RowsOf(const Phase& phase, int64_t first_pixel,
                                             int64_t pixels) const {
  const std::vector<int32_t>& offset = phase.layout.pixel_offset;
  const std::vector<int32_t>& tap = phase.layout.tap_offset;
  const int64_t row = packed_.RowElements();
  // Offsets rise, but for the repeated first pixel that fills a tile; taps rise.
  const int64_t first = offset[static_cast<size_t>(first_pixel)];
  const int64_t last = *std::max_element(offset.begin() + first_pixel,
                                         offset.begin() + first_pixel + pixels);
  return {first / row, (last + (tap.empty() ? 0 : tap.back())) / row};
}

ShortSum ConvPlan::WidestOfPixels(const Phase& phase, int64_t first_pixel, int64_t pixels,
                                  const ShortSum* sums) const {
  ShortSum widest = ShortSum::kQuad;
  int32_t before = -1;
  for (int64_t p = first_pixel; p < first_pixel + pixels; ++p) {
    const int32_t at = phase.pixel_sum[static_cast<size_t>(p)];
    if (at == before) continue;
    before = at;
    for (const int32_t tap : phase.tap_sum)
      for (int64_t i = 0; i < phase.tap_sums; ++i)
        widest = std::max(widest, sums[at + tap + i]);
  }
  return widest;
}

void ConvPlan::RunTask(const Task& task, const Workspace& work, uint8_t* output,
                       int64_t pixel_stride) const {
  if (!short_sums_) {
    RunPixels(task, kernels_, work, output, pixel_stride);
    return;
  }
  const std::vector<ShortSumPart> parts =
      CutByShortSum(task.pixels, kPiecePixels, [&](int64_t first, int64_t pixels) {
        return WidestOfPixels(*task.phase, task.first_pixel + first, pixels, work.sums);
      });
  const int64_t block_bytes =
      task.phase->short_weight.reduction * task.section->tile.Block();
  ForEachPart(parts, task.blocks, block_bytes,
              [&](int64_t first_block, int64_t blocks, const ShortSumPart& part) {
                Task own = task;
                own.first_block += first_block;
                own.blocks = blocks;
                own.first_pixel += part.first;
                own.pixels = part.count;
                RunPixels(own, KernelsOf(part.sum), work, output, pixel_stride);
              });
}

void ConvPlan::RunPixels(const Task& task, const Kernels& kernels, const Workspace& work,
                         uint8_t* output, int64_t pixel_stride) const {
  const Phase& phase = *task.phase;
  const Section& section = *task.section;
  const Tile tile = section.tile;
  const int64_t channel = section.first + task.first_block * tile.Block();
  const int64_t column = ColumnsOf(task.group) + channel;
  const int32_t count = static_cast<int32_t>(task.blocks * tile.Block());
  const int32_t taps = static_cast<int32_t>(phase.layout.tap_offset.size());
  const int32_t pixels = static_cast<int32_t>(task.pixels);
  const int32_t run = static_cast<int32_t>(RunOf(phase.layout, kernels.run_group));
  const bool is_short = kernels.bytes && short_sums_;
  const void* const packed = is_short ? work.packed_bytes : work.packed;
  const PackedWeight& weights = is_short ? phase.short_weight : phase.weight;
  const std::vector<int32_t>& starts = is_short ? phase.short_start : phase.start;

  const int64_t skip =
      geometry_.Depthwise() ? 2 * channel : task.group * geometry_.group_inputs;
  const std::array<Dimension, 1> input_size = {
      {{static_cast<int32_t>(packed_.elements - skip), 1}}};
  BufferView<1> input =
      kernels.bytes
          ? BufferView<1>(static_cast<const uint8_t*>(packed) + skip, input_size)
          : BufferView<1>(static_cast<const int16_t*>(packed) + skip, input_size);
  BufferView<1> pixel_offset(phase.layout.pixel_offset.data() + task.first_pixel,
                             {{{pixels, 1}}});
  BufferView<1> tap_offset(phase.layout.tap_offset.data(), {{{taps, 1}}});
  const std::array<Dimension, 6> weight_size = {
      {{kernels.group, 1},
       {tile.lanes, kernels.group},
       {tile.vectors, kernels.group * tile.lanes},
       {run / kernels.group, kernels.group * tile.Block()},
       {taps, run * tile.Block()},
       {static_cast<int32_t>(task.blocks),
        static_cast<int32_t>(weights.reduction * tile.Block())}}};
  BufferView<6> weight =
      kernels.bytes ? BufferView<6>(weights.Block<int8_t>(columns_, task.group, channel),
                                    weight_size)
                    : BufferView<6>(weights.Block<int16_t>(columns_, task.group, channel),
                                    weight_size);
  BufferView<1> start(starts.data() + column, {{{count, 1}}});
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
      (section.direct ? output : work.staging) + first * parameters_.ResultBytes();
  const std::array<Dimension, 2> result_size = {
      {{count, 1}, {pixels, static_cast<int32_t>(stride)}}};
  auto* const sums = reinterpret_cast<int32_t*>(at);
  BufferView<2> result = parameters_.kind == ResultKind::kCodes
                             ? BufferView<2>(at, result_size)
                             : BufferView<2>(sums, result_size);
  (section.wide ? kernels.wide : kernels.narrow)(
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
  uint8_t* const output = static_cast<uint8_t*>(y.data);
  Workspace work = PlacesIn(workspace);
  if (packed_already_)  // only read
    work.packed_bytes = const_cast<uint8_t*>(static_cast<const uint8_t*>(x.data));
  int64_t pixel_stride = 0;
  IsPixelMatrix(
      {g.batch, g.axes[0].output, g.axes[1].output, g.axes[2].output, g.Outputs()}, to,
      parameters_.ResultBytes(), pixel_stride);

  const auto pack = [&](int64_t row) { Pack(row, x, from, work); };
  const auto pack_wide = [&](int64_t row) { PackWide(row, x, from, work); };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[static_cast<size_t>(i)], work, output, pixel_stride);
  };
  // Rows of the phases one after the other, of each all groups.
  int64_t rows = 0;
  for (const Phase& phase : phases_) rows += phase.layout.Rows(g.batch) * column_groups_;
  const auto scatter = [&](int64_t i) {
    for (const Phase& phase : phases_) {
      const int64_t own = phase.layout.Rows(g.batch);
      if (i < own * column_groups_) {
        Scatter(phase, i / own, i % own, work.staging, output, to);
        return;
      }
      i -= own * column_groups_;
    }
  };
  const int64_t scattered = staged_ > 0 ? rows : 0;
  const auto tasks = static_cast<int64_t>(tasks_.size());
  if (short_sums_) {
    RunInOrder(threads_, ParallelPhase(packed_.Rows(), pack),
               ParallelPhase(packed_.Rows(), pack_wide), ParallelPhase(tasks, compute),
               ParallelPhase(scattered, scatter));
    return;
  }
  RunPhases(threads_, packed_.Rows(), pack, tasks, compute, scattered, scatter);
}

}  // namespace qconform::kernels
