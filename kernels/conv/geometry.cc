#include "kernels/conv/geometry.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reference/numerics/padded_index.h"

namespace qconform::kernels {
namespace {

int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

// What the attributes say about one axis.
struct Steps {
  int64_t kernel, stride, dilation, before;
  int32_t padding_mode;

  // Distance from the first to the last tap, and one more.
  int64_t Span() const { return (kernel - 1) * dilation + 1; }
};

void LayOut(const Steps& s, Axis& axis) {
  const bool one_tap = s.kernel == 1;
  const int64_t step = one_tap ? s.stride : 1;
  axis.output_stride = one_tap ? 1 : s.stride;
  axis.tap_distance = one_tap ? 1 : s.dilation;
  const int64_t extent =
      axis.output == 0 ? 0 : (axis.output - 1) * axis.output_stride + s.Span();
  axis.source.clear();
  for (int64_t p = 0; p < extent; ++p)
    axis.source.push_back(PaddedIndex(p * step - s.before, axis.input, s.padding_mode));
  AxisPhase& phase = axis.phases[0];
  phase = {0, 1, axis.output, {}};
  for (int64_t k = 0; k < s.kernel; ++k) phase.taps.push_back({k, k * s.dilation});
}

// Output o meets input i at tap k where o + before = i * stride + k * dilation. The
// outputs of a phase share (o + before) % stride and so their taps: the t-th reads input
// base(k) + t.
void LayOutTransposed(const Steps& s, Axis& axis) {
  axis.phases.clear();
  axis.output_stride = 1;
  axis.tap_distance = s.dilation / std::gcd(s.dilation, s.stride);
  int64_t least = 0, most = -1;
  for (int64_t first = 0; first < std::min(s.stride, axis.output); ++first) {
    AxisPhase phase{first, s.stride, (axis.output - 1 - first) / s.stride + 1, {}};
    for (int64_t k = s.kernel; k-- > 0;) {
      const int64_t distance = first + s.before - k * s.dilation;
      if (distance % s.stride != 0) continue;
      const int64_t base = distance / s.stride;
      phase.taps.push_back({k, base});
      if (most < least) least = most = base;
      least = std::min(least, base);
      most = std::max(most, base + phase.count - 1);
    }
    axis.phases.push_back(std::move(phase));
  }
  for (AxisPhase& phase : axis.phases)
    for (Tap& tap : phase.taps) tap.place -= least;
  axis.source.clear();
  for (int64_t i = least; i <= most; ++i)
    axis.source.push_back(i >= 0 && i < axis.input ? i : -1);
}

void LayOutSpread(const Steps& s, Axis& axis) {
  axis.source.clear();
  for (int64_t p = 0; p < axis.output + s.Span() - 1; ++p) {
    const int64_t at = p - (s.Span() - 1 - s.before);
    const bool hit = at >= 0 && at % s.stride == 0 && at / s.stride < axis.input;
    axis.source.push_back(hit ? at / s.stride : -1);
  }
  axis.tap_distance = s.dilation;
  AxisPhase& phase = axis.phases[0];
  phase = {0, 1, axis.output, {}};
  for (int64_t k = 0; k < s.kernel; ++k)
    phase.taps.push_back({s.kernel - 1 - k, k * s.dilation});
}

// Nothing to convolve along this axis.
bool IsFlat(const Axis& axis) {
  return axis.output == 1 && axis.Extent() == 1 && axis.source[0] == 0 &&
         axis.phases.size() == 1 && axis.phases[0].taps.size() == 1;
}

}  // namespace

ConvGeometry ReadConvGeometry(const qc_descriptor& descriptor, bool spread) {
  const qc_attributes& a = *descriptor.attributes;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& w = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  ConvGeometry g;
  g.transposed = descriptor.kind == QC_CONV_TRANSPOSE;
  g.batch = x.shape[0];
  g.groups = OneIfZero(a.groups);
  g.group_inputs = x.shape[1] / g.groups;
  g.group_outputs = y.shape[1] / g.groups;
  for (int i = 0; i < a.spatial_rank; ++i) {
    Axis& axis = g.axes[static_cast<size_t>(3 - a.spatial_rank + i)];
    axis.dimension = axis.weight_dimension = 2 + i;
    axis.input = x.shape[2 + i];
    axis.output = y.shape[2 + i];
    const Steps steps{w.shape[2 + i], OneIfZero(a.stride[i]), OneIfZero(a.dilation[i]),
                      a.padding_before[i], a.padding_mode};
    if (!g.transposed) {
      LayOut(steps, axis);
    } else if (spread) {
      LayOutSpread(steps, axis);
    } else {
      LayOutTransposed(steps, axis);
    }
  }
  if (spread) return g;  // the order of its taps is the order of its sums
  for (const size_t other : {1u, 0u})
    if (IsFlat(g.axes[2]) && !IsFlat(g.axes[other])) std::swap(g.axes[2], g.axes[other]);
  return g;
}

ImageStride StridesOf(const ConvGeometry& g, const qc_tensor& tensor) {
  const auto at = [&](size_t axis) {
    const int dimension = g.axes[axis].dimension;
    return dimension < 0 ? int64_t{0} : tensor.stride[dimension];
  };
  return {tensor.stride[0], at(0), at(1), at(2), tensor.stride[1]};
}

}  // namespace qconform::kernels
