// What a planned pool does in each run.
#include <algorithm>
#include <cstring>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/pool/plan.h"

namespace qconform::kernels {
namespace {

int32_t Narrow(int64_t value) { return static_cast<int32_t>(value); }

}  // namespace

struct PoolPlan::Part {
  const uint8_t* from;
  std::array<Dimension, 6> input;
  uint8_t* to;
  std::array<Dimension, 3> output;
  const float* divisors = nullptr;
  int32_t divisor_stride = 0;
  float depth = 1, height = 1;
};

void PoolPlan::Call(const Part& part) const {
  BufferView<6> input(part.from, part.input);
  BufferView<3> output(part.to, part.output);
  if (!average_) {
    const PoolMaxKernel kernel = is_signed_ ? kernels_.pool_max_s8 : kernels_.pool_max_u8;
    kernel(input.get(), output.get());
    return;
  }
  BufferView<1> divisors(part.divisors, {{{part.output[0].extent, part.divisor_stride}}});
  const PoolAverageKernel kernel =
      adaptive_ ? kernels_.pool_adaptive : kernels_.pool_average;
  kernel(input.get(), divisors.get(), part.depth, part.height, input_.flip,
         input_.zero_point, input_.scale, output_.reciprocal, output_.lower,
         output_.upper, output_.zero_point, output_.of_nan, output_.flip, output.get());
}

// An item is a block of rows of one plane of depth, for all channels.
void PoolPlan::PoolChannels(int64_t item, const uint8_t* x, uint8_t* y) const {
  const auto blocks = static_cast<int64_t>(row_blocks_.size());
  const WindowGroup& h = row_blocks_[static_cast<size_t>(item % blocks)];
  const int64_t at = item / blocks % geometry_.output[0];
  const int64_t sample = item / blocks / geometry_.output[0];
  const auto d = std::find_if(
      groups_[0].begin(), groups_[0].end(),
      [at](const WindowGroup& group) { return at < group.first + group.count; });
  if (d->taps == 0) return;
  for (const WindowGroup& w : groups_[2]) {
    if (w.taps == 0) continue;
    const float divisor =
        adaptive_ ? static_cast<float>(w.length) : Divisor(d->length, h.length, w.length);
    const Spatial& from = x_.spatial;
    const Spatial& to = y_.spatial;
    Call({.from = x + sample * x_.batch +
                  (d->begin + (at - d->first) * d->step) * from[0] + h.begin * from[1] +
                  w.begin * from[2],
          .input = {{{Narrow(channels_), Narrow(x_.channel)},
                     {Narrow(w.taps), Narrow(w.tap_step * from[2])},
                     {Narrow(h.taps), Narrow(h.tap_step * from[1])},
                     {Narrow(d->taps), Narrow(d->tap_step * from[0])},
                     {Narrow(w.count), Narrow(w.step * from[2])},
                     {Narrow(h.count), Narrow(h.step * from[1])}}},
          .to = y + sample * y_.batch + at * to[0] + h.first * to[1] + w.first * to[2],
          .output = {{{Narrow(channels_), Narrow(y_.channel)},
                      {Narrow(w.count), Narrow(to[2])},
                      {Narrow(h.count), Narrow(to[1])}}},
          .divisors = &divisor,
          .depth = static_cast<float>(d->length),
          .height = static_cast<float>(h.length)});
  }
}

void PoolPlan::CopyPlanes(const uint8_t* plane, int64_t planes, uint8_t* scratch) const {
  const WindowGeometry& g = geometry_;
  const int64_t before = adaptive_ ? 0 : g.before[2];
  const int64_t width = g.input[2];
  const int64_t behind = padded_width_ - before - width;
  // What changes neither a maximum nor a sum.
  const int fill =
      average_ ? (input_.zero_point & 255) ^ input_.flip : (is_signed_ ? 0x80 : 0);
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t d = 0; d < g.input[0]; ++d)
      for (int64_t h = 0; h < g.input[1]; ++h) {
        const uint8_t* from =
            plane + p * x_.channel + d * x_.spatial[0] + h * x_.spatial[1];
        std::memset(scratch, fill, static_cast<size_t>(before));
        scratch += before;
        if (x_.spatial[2] == 1) {
          std::memcpy(scratch, from, static_cast<size_t>(width));
        } else {
          for (int64_t w = 0; w < width; ++w) scratch[w] = from[w * x_.spatial[2]];
        }
        scratch += width;
        std::memset(scratch, fill, static_cast<size_t>(behind));
        scratch += behind;
      }
}

void PoolPlan::MaximaOfPlanes(const uint8_t* from, const Spatial& stride,
                              int64_t plane_stride, int64_t planes, uint8_t* to,
                              uint8_t* scratch) const {
  const WindowGeometry& g = geometry_;
  MaxRows rows = {};
  rows.planes = planes;
  rows.plane_step = plane_stride;
  rows.output_plane_step = y_.channel;
  rows.width = copy_ ? padded_width_ : g.input[2];  // copies have their padding
  rows.before = copy_ ? 0 : g.before[2];
  rows.fill = is_signed_ ? 0x80 : 0;
  rows.kernel = g.kernel[2];
  rows.dilation = g.dilation[2];
  rows.stride = g.stride[2];
  rows.count = g.output[2];
  rows.output_row_step = y_.spatial[1];
  std::vector<int64_t> taps;
  for (const WindowGroup& d : groups_[0])
    for (const WindowGroup& h : groups_[1]) {
      if (d.taps == 0 || h.taps == 0) continue;
      taps.clear();
      for (int64_t i = 0; i < d.taps; ++i)
        for (int64_t j = 0; j < h.taps; ++j)
          taps.push_back(i * d.tap_step * stride[0] + j * h.tap_step * stride[1]);
      rows.taps = taps.data();
      rows.tap_count = static_cast<int64_t>(taps.size());
      rows.rows = h.count;
      rows.row_step = h.step * stride[1];
      for (int64_t at = 0; at < d.count; ++at) {
        rows.input = from + (d.begin + at * d.step) * stride[0] + h.begin * stride[1];
        rows.output = to + (d.first + at) * y_.spatial[0] + h.first * y_.spatial[1];
        max_rows_(rows, padded_width_, scratch);
      }
    }
}

// An item is some channels of one sample.
void PoolPlan::PoolRows(int64_t item, const uint8_t* x, uint8_t* y,
                        uint8_t* scratch) const {
  const WindowGeometry& g = geometry_;
  const int64_t blocks = (channels_ + planes_ - 1) / planes_;
  const int64_t channel = item % blocks * planes_;
  const int64_t planes = std::min(planes_, channels_ - channel);
  const int64_t sample = item / blocks;
  const uint8_t* from = x + sample * x_.batch + channel * x_.channel;
  Spatial stride = x_.spatial;
  int64_t plane_stride = x_.channel;
  if (copy_) {
    CopyPlanes(from, planes, scratch);
    from = scratch;
    stride = {g.input[1] * padded_width_, padded_width_, 1};
    plane_stride = g.input[0] * stride[0];
  }
  int64_t taps = g.kernel[2], tap_step = g.dilation[2], step = g.stride[2];
  if (adaptive_) {
    taps = groups_[2][0].taps;
    tap_step = 1;
    step = groups_[2][0].step;
  }
  if (max_rows_ != nullptr) {
    uint8_t* const behind =
        scratch + (copy_ ? planes_ * g.input[0] * g.input[1] * padded_width_ : 0);
    return MaximaOfPlanes(from, stride, plane_stride, planes,
                          y + sample * y_.batch + channel * y_.channel, behind);
  }
  std::vector<float> divisors(average_ ? row_lengths_.size() : 0);
  for (const WindowGroup& d : groups_[0])
    for (const WindowGroup& h : groups_[1]) {
      if (d.taps == 0 || h.taps == 0) continue;
      for (size_t i = 0; i < divisors.size(); ++i)
        divisors[i] = adaptive_ ? static_cast<float>(row_lengths_[i])
                                : Divisor(d.length, h.length, row_lengths_[i]);
      for (int64_t at = 0; at < d.count; ++at) {
        const Part part = {
            .from = from + (d.begin + at * d.step) * stride[0] + h.begin * stride[1],
            .input = {{{Narrow(g.output[2]), Narrow(step * stride[2])},
                       {Narrow(taps), Narrow(tap_step * stride[2])},
                       {Narrow(h.taps), Narrow(h.tap_step * stride[1])},
                       {Narrow(d.taps), Narrow(d.tap_step * stride[0])},
                       {Narrow(h.count), Narrow(h.step * stride[1])},
                       {Narrow(planes), Narrow(plane_stride)}}},
            .to = y + sample * y_.batch + channel * y_.channel +
                  (d.first + at) * y_.spatial[0] + h.first * y_.spatial[1],
            .output = {{{Narrow(g.output[2]), Narrow(y_.spatial[2])},
                        {Narrow(h.count), Narrow(y_.spatial[1])},
                        {Narrow(planes), Narrow(y_.channel)}}},
            .divisors = divisors.data(),
            .divisor_stride = 1,
            .depth = static_cast<float>(d.length),
            .height = static_cast<float>(h.length)};
        Call(part);
      }
    }
}

void PoolPlan::FillEmpty(const Empty& empty, uint8_t* y) const {
  for (int64_t plane = 0; plane < batch_ * channels_; ++plane) {
    uint8_t* to = y + plane / channels_ * y_.batch + plane % channels_ * y_.channel;
    for (int64_t d = 0; d < empty.count[0]; ++d)
      for (int64_t h = 0; h < empty.count[1]; ++h)
        for (int64_t w = 0; w < empty.count[2]; ++w)
          to[(empty.first[0] + d) * y_.spatial[0] + (empty.first[1] + h) * y_.spatial[1] +
             (empty.first[2] + w) * y_.spatial[2]] = empty.byte;
  }
}

void PoolPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void* workspace) const {
  const auto* x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* y = static_cast<uint8_t*>(outputs[0]->data);
  if (codes_.Rows() == 0) return;
  const int64_t items =
      by_rows_ ? batch_ * ((channels_ + planes_ - 1) / planes_)
               : batch_ * geometry_.output[0] * static_cast<int64_t>(row_blocks_.size());
  // A part of the items each, with scratch memory of its own.
  const uint64_t scratch_bytes = WorkspaceBytes() / static_cast<uint64_t>(threads_);
  const auto pool = [&](int64_t part) {
    uint8_t* scratch = nullptr;
    if (scratch_bytes > 0)
      scratch =
          static_cast<uint8_t*>(workspace) + static_cast<uint64_t>(part) * scratch_bytes;
    for (int64_t item = part * items / threads_; item < (part + 1) * items / threads_;
         ++item) {
      by_rows_ ? PoolRows(item, x, y, scratch) : PoolChannels(item, x, y);
    }
  };
  const auto rescale = [&](int64_t row) {
    uint8_t* to = y + codes_.Offset(row)[0];
    const int64_t stride = codes_.RowStride()[0];
    if (stride == 1) return lookup_.Row(to, to, codes_.RowLength());
    for (int64_t i = 0; i < codes_.RowLength(); ++i)
      to[i * stride] = lookup_[to[i * stride]];
  };
  RunPhases(threads_, threads_, pool, rescale_ ? codes_.Rows() : 0, rescale,
            static_cast<int64_t>(empty_.size()),
            [&](int64_t i) { FillEmpty(empty_[static_cast<size_t>(i)], y); });
}

}  // namespace qconform::kernels
