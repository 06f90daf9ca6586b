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
  if (bytes_) {
    const int32_t down = IsArm(path_) ? 128 : 0;
    SubtractZeroPoint(static_cast<uint32_t>(work.qparams->ProductZeroPoint() - down),
                      work.start);
  }
}

// Rows beyond the caller's fill the tile; nobody reads what comes of them.
void LinearPlan::PackRow(const qc_tensor& x, int64_t row, const Workspace& work) const {
  const auto* from =
      static_cast<const uint8_t*>(x.data) + RowOffset(x, std::min(row, m_ - 1));
  const int64_t stride = x.stride[x.rank - 1];
  const auto pack = [&](auto* to) {
    if (dynamic_) {
      QuantizeRow(from, stride, k_, *work.qparams, to + row * k_);
    } else {
      CopyCodes(from, stride, k_, map_, to + row * k_, 1);
    }
  };
  if (bytes_ && IsArm(path_)) {
    pack(static_cast<int8_t*>(work.packed));
  } else if (bytes_) {
    pack(static_cast<uint8_t*>(work.packed));
  } else {
    pack(static_cast<int16_t*>(work.packed));
  }
}

void LinearPlan::RunTask(const Task& task, const Workspace& work, uint8_t* output,
                         int64_t row_stride) const {
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
      bytes_ ? BufferView<2>(static_cast<const uint8_t*>(work.packed) + skip, input_size)
             : BufferView<2>(static_cast<const int16_t*>(work.packed) + skip, input_size);
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
  const int32_t* const starts = dynamic_ ? work.start : parameters_.start.data();
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
  kernel_(input.get(), weight.get(), start.get(), bias.get(), multiplier.get(),
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
  const auto pack = [&](int64_t row) { PackRow(x, row, work); };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[static_cast<size_t>(i)], work, output, row_stride);
  };
  const auto scatter = [&](int64_t row) { Scatter(y, row, work); };
  const auto tasks = static_cast<int64_t>(tasks_.size());
  const int64_t scattered = staged_ > 0 ? m_ : 0;
  if (dynamic_) {
    RunInOrder(threads_, ParallelPhase(range_chunks_, measure), ParallelPhase(1, choose),
               ParallelPhase(rows_, pack), ParallelPhase(tasks, compute),
               ParallelPhase(scattered, scatter));
    return;
  }
  RunPhases(threads_, rows_, pack, tasks, compute, scattered, scatter);
}

}  // namespace qconform::kernels
