// AVG_POOL and ADAPTIVE_AVG_POOL on real values, as torch sums them: padding is 0.0,
// float32 in row-major order, divided once (adaptive: axis by axis; one window over all
// is the mean). The zero point takes no part in the rounding, so the memory layout cannot
// either.
#include <algorithm>
#include <array>

#include "reference/numerics/cascade_sum.h"
#include "reference/numerics/same_shape.h"
#include "reference/numerics/window.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  WindowGeometry geometry;
  if (call.kind == QC_ADAPTIVE_AVG_POOL) return ReadAdaptiveWindows(call, geometry);
  const std::string objection = ReadWindows(call, geometry);
  if (objection.empty() && geometry.dilation != Spatial{1, 1, 1}) {
    return "average pooling has no dilation";
  }
  if (call.attributes.divisor_override < 0) return "divisor_override is negative";
  return objection;
}

// One window along one axis, clipped to the input, and its length with padding.
struct Extent {
  int64_t begin;
  int64_t end;
  int64_t padded;
};

Extent WindowExtent(const WindowGeometry& g, size_t axis, int64_t at, bool adaptive) {
  if (adaptive) {
    const int64_t in = g.input[axis];
    const int64_t out = g.output[axis];
    const int64_t begin = at * in / out;
    const int64_t end = ((at + 1) * in + out - 1) / out;
    return {begin, end, end - begin};
  }
  const int64_t begin = at * g.stride[axis] - g.before[axis];
  // A window of ceil mode may leave even the padding; torch does not count that.
  const int64_t end = std::min(begin + g.kernel[axis], g.input[axis] + g.after[axis]);
  return {std::max<int64_t>(begin, 0), std::min(end, g.input[axis]), end - begin};
}

float Divide(const qc_attributes& attributes, bool adaptive, float sum,
             const std::array<Extent, 3>& extents) {
  if (adaptive) {
    for (const Extent& extent : extents) sum /= static_cast<float>(extent.padded);
    return sum;
  }
  int64_t count = 1;
  for (const Extent& extent : extents) {
    count *=
        attributes.count_include_pad != 0 ? extent.padded : extent.end - extent.begin;
  }
  if (attributes.divisor_override > 0) count = attributes.divisor_override;
  return sum / static_cast<float>(count);
}

// Adaptive pooling to one element over two or three axes.
bool IsMean(const ScalarCall& call, const WindowGeometry& g) {
  return call.kind == QC_ADAPTIVE_AVG_POOL && call.attributes.spatial_rank >= 2 &&
         g.output == Spatial{1, 1, 1};
}

void Run(const ScalarCall& call) {
  const bool adaptive = call.kind == QC_ADAPTIVE_AVG_POOL;
  WindowGeometry g;
  adaptive ? ReadAdaptiveWindows(call, g) : ReadWindows(call, g);
  const std::vector<float> x = ReadReal(call.x());
  const int64_t input_size = g.input[0] * g.input[1] * g.input[2];
  const int64_t output_size = g.output[0] * g.output[1] * g.output[2];
  std::vector<float> y(static_cast<size_t>(g.planes * output_size));
  if (IsMean(call, g)) {
    for (int64_t plane = 0; plane < g.planes; ++plane) {
      y[static_cast<size_t>(plane)] = SumRow(x.data() + plane * input_size, input_size) /
                                      static_cast<float>(input_size);
    }
    return WriteReal(call.y(), y, call.scheme);
  }
#pragma omp parallel for if (g.planes * output_size > 4096)
  for (int64_t at = 0; at < g.planes * output_size; ++at) {
    const float* plane = x.data() + at / output_size * input_size;
    const Extent d =
        WindowExtent(g, 0, at % output_size / (g.output[1] * g.output[2]), adaptive);
    const Extent h =
        WindowExtent(g, 1, at % output_size / g.output[2] % g.output[1], adaptive);
    const Extent w = WindowExtent(g, 2, at % g.output[2], adaptive);
    float sum = 0.0f;
    for (int64_t i = d.begin; i < d.end; ++i) {
      for (int64_t j = h.begin; j < h.end; ++j) {
        for (int64_t k = w.begin; k < w.end; ++k) {
          sum += plane[(i * g.input[1] + j) * g.input[2] + k];
        }
      }
    }
    y[static_cast<size_t>(at)] = Divide(call.attributes, adaptive, sum, {d, h, w});
  }
  WriteReal(call.y(), y, call.scheme);
}

}  // namespace

const OperatorFamily& AveragePoolFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
