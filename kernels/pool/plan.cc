#include "kernels/pool/plan.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/backend/definition_plan.h"
#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/pool/mean_plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialTaps = 1 << 17;
constexpr int64_t kSerialMaxima = 1 << 20;

// Fewer channels do not fill a vector.
constexpr int64_t kFewChannels = 8;

// Planes that an item takes together fill about this many bytes.
constexpr int64_t kPlaneBytes = 1 << 14;

int32_t Narrow(int64_t value) { return static_cast<int32_t>(value); }

// Strides of dimensions that have one element say nothing, and may be anything.
int64_t StrideOf(const qc_tensor& tensor, int dimension) {
  return tensor.shape[dimension] > 1 ? tensor.stride[dimension] : 0;
}

CodeTable TableOf(const PlanRequest& request) {
  return RescaledCodes(*request.descriptor.inputs[0], *request.descriptor.outputs[0],
                       request.scheme);
}

// Of every plane one mean of all its elements.
bool IsWholeImage(const qc_descriptor& descriptor, const WindowGeometry& g) {
  if (g.output != Spatial{1, 1, 1}) return false;
  return descriptor.kind == QC_ADAPTIVE_AVG_POOL ||
         (g.kernel == g.input && g.before == Spatial{0, 0, 0} &&
          descriptor.attributes->divisor_override == 0);
}

ScalarCall CallOf(const qc_descriptor& descriptor) {
  return {static_cast<qc_operator_kind>(descriptor.kind),
          *descriptor.attributes,
          {descriptor.inputs, 1},
          {const_cast<qc_tensor* const*>(descriptor.outputs), 1},
          {}};
}

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

std::unique_ptr<OperatorPlan> PoolPlan::Make(const PlanRequest& request,
                                             std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  WindowGeometry geometry;
  const bool adaptive = descriptor.kind == QC_ADAPTIVE_AVG_POOL;
  reason = adaptive ? ReadAdaptiveWindows(CallOf(descriptor), geometry)
                    : ReadWindows(CallOf(descriptor), geometry);
  if (!reason.empty()) return nullptr;
  const int spatial = descriptor.attributes->spatial_rank;
  if (descriptor.kind != QC_MAX_POOL && IsWholeImage(descriptor, geometry))
    return MeanPlan::OfPlanes(
        request, x.rank - spatial,
        adaptive && spatial >= 2 ? MeanOrder::kRow : MeanOrder::kSequential);
  const int image = x.rank - spatial - 1;
  if (!Fits32Bits(x, image) || !Fits32Bits(y, image))
    return std::make_unique<DefinitionPlan>(request);
  return std::unique_ptr<PoolPlan>(new PoolPlan(request, geometry));
}

PoolPlan::PoolPlan(const PlanRequest& request, const WindowGeometry& geometry)
    : average_(request.descriptor.kind != QC_MAX_POOL),
      adaptive_(request.descriptor.kind == QC_ADAPTIVE_AVG_POOL),
      is_signed_(request.descriptor.inputs[0]->dtype == QC_S8),
      divisor_override_(request.descriptor.attributes->divisor_override),
      kernels_(request.kernels),
      input_(*request.descriptor.inputs[0]),
      output_(*request.descriptor.outputs[0]),
      rescale_(!average_ && !IsIdentity(TableOf(request))),
      lookup_(TableOf(request), request.path),
      codes_(request.descriptor.outputs[0]->shape, request.descriptor.outputs[0]->rank,
             {BroadcastStrides(*request.descriptor.outputs[0],
                               *request.descriptor.outputs[0])}),
      geometry_(geometry),
      threads_(request.threads) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  const int spatial = request.descriptor.attributes->spatial_rank;
  for (const auto& [tensor, strides] : {std::pair{&x, &x_}, {&y, &y_}}) {
    int i = 0;
    if (tensor->rank > spatial + 1) strides->batch = StrideOf(*tensor, i++);
    strides->channel = StrideOf(*tensor, i++);
    for (int axis = 3 - spatial; axis < 3; ++axis)
      strides->spatial[static_cast<size_t>(axis)] = StrideOf(*tensor, i++);
  }
  if (x.rank > spatial + 1) batch_ = x.shape[0];
  channels_ = x.shape[x.rank - spatial - 1];
  for (size_t axis = 0; axis < 3; ++axis) {
    groups_[axis] = WindowGroups(geometry, axis, adaptive_,
                                 request.descriptor.attributes->count_include_pad != 0);
  }
  if (codes_.Rows() == 0) return;
  ChooseVectors(request.path);
  CutForThreads();
  FindEmpty(y, request.scheme);
}

void PoolPlan::ChooseVectors(Path path) {
  const WindowGeometry& g = geometry_;
  // Every window of a row needs as many taps; padding sees to that.
  const bool uniform = !adaptive_ || groups_[2].size() == 1;
  const bool channels = x_.channel == 1 && channels_ >= kFewChannels;
  by_rows_ = uniform && !channels;
  if (!by_rows_) return;
  copy_ = x_.spatial[2] != 1 && g.input[2] > 1;
  padded_width_ = g.input[2];
  if (!average_ && (y_.spatial[2] == 1 || g.output[2] == 1))
    max_rows_ = MaxRowsKernelOf(path, is_signed_);
  if (!adaptive_) {
    if (max_rows_ == nullptr)
      copy_ = copy_ || groups_[2].size() != 1 || groups_[2][0].taps != g.kernel[2];
    const int64_t last = (g.output[2] - 1) * g.stride[2];
    padded_width_ =
        std::max(g.before[2] + g.input[2], last + (g.kernel[2] - 1) * g.dilation[2] + 1);
  }
  const int64_t plane = std::max<int64_t>(1, g.input[0] * g.input[1] * padded_width_);
  planes_ = std::clamp<int64_t>(kPlaneBytes / plane, 1, std::max<int64_t>(channels_, 1));
  for (const WindowGroup& group : groups_[2])
    row_lengths_.insert(row_lengths_.end(), static_cast<size_t>(group.count),
                        group.length);
}

void PoolPlan::CutForThreads() {
  const WindowGeometry& g = geometry_;
  const int64_t outputs = batch_ * channels_ * g.output[0] * g.output[1] * g.output[2];
  int64_t taps = outputs;
  for (const auto& groups : groups_) {
    int64_t most = 1;
    for (const WindowGroup& group : groups) most = std::max(most, group.taps);
    taps *= most;
  }
  if (taps < (average_ ? kSerialTaps : kSerialMaxima)) threads_ = 1;
  // Four pieces a thread even out what the borders save.
  int64_t longest = g.output[1];
  if (threads_ > 1)
    longest = std::max<int64_t>(1, batch_ * g.output[0] * g.output[1] / (4 * threads_));
  for (WindowGroup group : groups_[1]) {
    if (group.taps == 0) continue;
    while (group.count > 0) {
      WindowGroup block = group;
      block.count = std::min(longest, group.count);
      row_blocks_.push_back(block);
      group.first += block.count;
      group.begin += block.count * group.step;
      group.count -= block.count;
    }
  }
}

float PoolPlan::Divisor(int64_t depth, int64_t height, int64_t width) const {
  if (divisor_override_ > 0) return static_cast<float>(divisor_override_);
  return static_cast<float>(depth * height * width);
}

void PoolPlan::FindEmpty(const qc_tensor& y, const std::string& scheme) {
  // A maximum of nothing is zero: the code under "copy", else the value.
  const uint8_t nothing = scheme == kCopySchemeName ? 0 : CodeByte(0.0f, y, scheme);
  for (const WindowGroup& d : groups_[0])
    for (const WindowGroup& h : groups_[1])
      for (const WindowGroup& w : groups_[2]) {
        if (d.taps > 0 && h.taps > 0 && w.taps > 0) continue;
        uint8_t byte = nothing;
        if (average_) {
          const float sum = 0.0f;
          byte = CodeByte(sum / Divisor(d.length, h.length, w.length), y, scheme);
        }
        empty_.push_back(
            {{d.first, h.first, w.first}, {d.count, h.count, w.count}, byte});
      }
}

uint64_t PoolPlan::WorkspaceBytes() const {
  const int64_t plane = geometry_.input[0] * geometry_.input[1] * padded_width_;
  const int64_t copied = copy_ ? planes_ * plane : 0;
  const int64_t row = max_rows_ == nullptr ? 0 : MaxRowsScratchBytes(padded_width_);
  return AlignUp(static_cast<size_t>(copied + row)) * static_cast<uint64_t>(threads_);
}

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
