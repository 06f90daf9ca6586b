#include "kernels/pool/plan.h"

#include <algorithm>
#include <limits>

#include "kernels/backend/definition_plan.h"
#include "kernels/layout/aligned_bytes.h"
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

}  // namespace qconform::kernels
