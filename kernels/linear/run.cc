// What a planned linear layer does with activations.
#include <algorithm>
#include <cstring>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/linear/matrix_rows.h"
#include "kernels/linear/plan.h"
#include "kernels/requantize/real_rows.h"

namespace qconform::kernels {

void LinearPlan::MeasureRows(const qc_tensor& x, int64_t chunk,
                             const Workspace& work) const {
  RealRange range;
  for (int64_t row = chunk * m_ / range_chunks_; row < (chunk + 1) * m_ / range_chunks_;
       ++row) {
    range.Include(static_cast<const uint8_t*>(x.data) + RowOffset(x, row),
                  x.stride[x.rank - 1], k_);
  }
  work.ranges[chunk] = range;
}

void LinearPlan::ChooseQparams(const Workspace& work) const {
  RealRange range;
  for (int64_t i = 0; i < range_chunks_; ++i) range.Include(work.ranges[i]);
  *work.qparams = DynamicQparams::Choose(range, reduce_range_);
  const auto padded = static_cast<size_t>(columns_.padded);
  std::fill_n(work.start, padded, 0);
  std::fill_n(work.bias, padded, 0.0f);
  std::fill_n(work.multiplier, padded, 0.0f);
  constants_->RealParameters(work.qparams->scale, work.start, work.multiplier, work.bias);
  const auto zero =
      static_cast<uint32_t>(work.qparams->ProductZeroPoint() - (IsArm(path_) ? 128 : 0));
  if (short_sums_) {
    std::copy_n(work.start, padded, work.short_start);
    SubtractZeroPoint(short_weight_, zero, work.short_start);
  }
  if (bytes_) SubtractZeroPoint(weight_, zero, work.start);
}

// Rows beyond the caller's fill the tile; nobody reads what comes of them.
template <typename T>
void LinearPlan::PackRow(const qc_tensor& x, int64_t row, const Workspace& work,
                         T* to) const {
  const auto* from =
      static_cast<const uint8_t*>(x.data) + RowOffset(x, std::min(row, m_ - 1));
  const int64_t stride = x.stride[x.rank - 1];
  if (dynamic_) {
    QuantizeRow(from, stride, k_, *work.qparams, to + row * k_);
  } else {
    CopyCodes(from, stride, k_, map_, to + row * k_, 1);
  }
}

void LinearPlan::Pack(const qc_tensor& x, int64_t row, const Workspace& work) const {
  if (bytes_ && IsArm(path_)) {
    PackRow(x, row, work, static_cast<int8_t*>(work.packed));
  } else if (bytes_) {
    PackRow(x, row, work, static_cast<uint8_t*>(work.packed));
  } else if (!short_sums_) {
    PackRow(x, row, work, static_cast<int16_t*>(work.packed));
  } else {
    PackRow(x, row, work, work.packed_bytes);
    work.sums[row] = ShortSumOf(work.packed_bytes + row * k_, k_);
  }
}

// In 16 bits, where a piece of rows that has this one may have to be computed so.
void LinearPlan::PackWide(const qc_tensor& x, int64_t row, const Workspace& work) const {
  // A piece has less than twice as many rows as a tile.
  const int64_t apart = 2 * tile_.rows;
  const int64_t first = std::max<int64_t>(row - apart, 0);
  if (WidestOf(work.sums, first, std::min(row + apart, rows_ - 1)) == ShortSum::kWide)
    PackRow(x, row, work, static_cast<int16_t*>(work.packed));
}

void LinearPlan::RunTask(const Task& task, const Workspace& work, uint8_t* output,
                         int64_t row_stride) const {
  if (!short_sums_) {
    RunRows(task, ShortSum::kWide, work, output, row_stride);
    return;
  }
  const std::vector<ShortSumPart> parts =
      CutByShortSum(task.rows, tile_.rows, [&](int64_t first, int64_t rows) {
        const int64_t row = task.first_row + first;
        return WidestOf(work.sums, row, row + rows - 1);
      });
  ForEachPart(parts, task.blocks, short_weight_.reduction * tile_.Block(),
              [&](int64_t first_block, int64_t blocks, const ShortSumPart& part) {
                Task own = task;
                own.first_block += first_block;
                own.blocks = blocks;
                own.first_row += part.first;
                own.rows = part.count;
                RunRows(own, part.sum, work, output, row_stride);
              });
}

void LinearPlan::RunRows(const Task& task, ShortSum sum, const Workspace& work,
                         uint8_t* output, int64_t row_stride) const {
  const Section& section = *task.section;
  const int32_t block = tile_.Block();
  const int64_t channel = section.first + task.first_block * block;
  const int32_t count = static_cast<int32_t>(task.blocks * block);
  const int32_t rows = static_cast<int32_t>(task.rows);
  const int32_t k = static_cast<int32_t>(k_);
  const bool is_short = sum != ShortSum::kWide;
  const PackedWeight& weights = is_short ? short_weight_ : weight_;
  const int32_t group = is_short ? 4 : group_;
  const int32_t steps = static_cast<int32_t>(weights.reduction / group);
  const std::array<Dimension, 2> input_size = {{{k, 1}, {rows, k}}};
  const int64_t skip = task.first_row * k_;
  const void* const packed = is_short ? work.packed_bytes : work.packed;
  BufferView<2> input =
      bytes_ || is_short
          ? BufferView<2>(static_cast<const uint8_t*>(packed) + skip, input_size)
          : BufferView<2>(static_cast<const int16_t*>(packed) + skip, input_size);
  const std::array<Dimension, 5> weight_size = {
      {{group, 1},
       {tile_.lanes, group},
       {tile_.vectors, group * tile_.lanes},
       {steps, group * block},
       {static_cast<int32_t>(task.blocks),
        static_cast<int32_t>(weights.reduction * block)}}};
  BufferView<5> weight =
      byte_weight_ || is_short
          ? BufferView<5>(weights.Block<int8_t>(columns_, 0, channel), weight_size)
          : BufferView<5>(weights.Block<int16_t>(columns_, 0, channel), weight_size);
  const std::vector<int32_t>& planned = is_short ? short_start_ : parameters_.start;
  const int32_t* const starts = !dynamic_  ? planned.data()
                                : is_short ? work.short_start
                                           : work.start;
  const float* const biases = dynamic_ ? work.bias : parameters_.bias.data();
  const float* const multipliers =
      dynamic_ ? work.multiplier : parameters_.multiplier.data();
  BufferView<1> start(starts + channel, {{{count, 1}}});
  BufferView<1> bias(biases + channel, {{{count, 1}}});
  BufferView<1> multiplier(multipliers + channel, {{{count, 1}}});
  const int64_t stride = section.direct ? row_stride : staged_;
  const int64_t first = section.direct ? channel : channel - columns_.first_staged;
  uint8_t* const at = (section.direct ? output : work.staging) +
                      (first + task.first_row * stride) * parameters_.ResultBytes();
  const std::array<Dimension, 2> result_size = {
      {{count, 1}, {rows, static_cast<int32_t>(stride)}}};
  auto* const sums = reinterpret_cast<int32_t*>(at);
  BufferView<2> result = parameters_.kind == ResultKind::kCodes
                             ? BufferView<2>(at, result_size)
                             : BufferView<2>(sums, result_size);
  const LinearKernel kernel = sum == ShortSum::kQuad   ? quad_
                              : sum == ShortSum::kPair ? pair_
                                                       : kernel_;
  kernel(input.get(), weight.get(), start.get(), bias.get(), multiplier.get(),
         parameters_.lower, parameters_.upper, parameters_.zero_point, parameters_.flip,
         result.get());
  if (parameters_.kind == ResultKind::kReal) {
    AccumulatorsToReal(path_, sums, stride, rows, count, multipliers + channel,
                       biases + channel, parameters_.lower, parameters_.upper);
  }
}

void LinearPlan::Scatter(const qc_tensor& y, int64_t row, const Workspace& work) const {
  const int64_t stride = y.stride[y.rank - 1];
  uint8_t* to =
      static_cast<uint8_t*>(y.data) + RowOffset(y, row) + columns_.first_staged * stride;
  const uint8_t* const codes = work.staging + row * staged_;
  const auto* const sums = reinterpret_cast<const int32_t*>(work.staging) + row * staged_;
  for (int64_t c = columns_.first_staged; c < n_; ++c, to += stride) {
    const int64_t at = c - columns_.first_staged;
    if (parameters_.kind == ResultKind::kCodes) {
      *to = codes[at];
    } else if (parameters_.kind == ResultKind::kCodesOneByOne) {
      *to = static_cast<uint8_t>(
          std::clamp(parameters_.one_by_one[static_cast<size_t>(c)].Code(sums[at]),
                     parameters_.lowest, parameters_.highest));
    } else {
      std::memcpy(to, &sums[at], sizeof sums[at]);
    }
  }
}

void LinearPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                     void* workspace) const {
  if (tasks_.empty()) return;
  const qc_tensor& x = *inputs[0];
  const qc_tensor& y = *outputs[0];
  const Workspace work = PlacesIn(workspace);
  auto* const output = static_cast<uint8_t*>(y.data);
  int64_t row_stride = 0;
  IsMatrix(y, parameters_.ResultBytes(), row_stride);

  const auto measure = [&](int64_t chunk) { MeasureRows(x, chunk, work); };
  const auto choose = [&](int64_t) { ChooseQparams(work); };
  const auto pack = [&](int64_t row) { Pack(x, row, work); };
  const auto pack_wide = [&](int64_t row) { PackWide(x, row, work); };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[static_cast<size_t>(i)], work, output, row_stride);
  };
  const auto scatter = [&](int64_t row) { Scatter(y, row, work); };
  const auto tasks = static_cast<int64_t>(tasks_.size());
  const int64_t scattered = staged_ > 0 ? m_ : 0;
  if (dynamic_ || short_sums_) {
    RunInOrder(threads_, ParallelPhase(dynamic_ ? range_chunks_ : 0, measure),
               ParallelPhase(dynamic_ ? 1 : 0, choose), ParallelPhase(rows_, pack),
               ParallelPhase(short_sums_ ? rows_ : 0, pack_wide),
               ParallelPhase(tasks, compute), ParallelPhase(scattered, scatter));
    return;
  }
  RunPhases(threads_, rows_, pack, tasks, compute, scattered, scatter);
}

}  // namespace qconform::kernels
