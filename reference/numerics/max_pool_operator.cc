// MAX_POOL: codes are compared, never rescaled. Padding is below every code.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numerics/same_shape.h"
#include "reference/numerics/window.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  WindowGeometry geometry;
  return ReadWindows(call, geometry);
}

// The largest element of each window; NaN wins.
template <typename T>
std::vector<T> Pool(const WindowGeometry& g, const std::vector<T>& x) {
  const int64_t input_size = g.input[0] * g.input[1] * g.input[2];
  const int64_t output_size = g.output[0] * g.output[1] * g.output[2];
  std::vector<T> y(static_cast<size_t>(g.planes * output_size));
#pragma omp parallel for if (g.planes * output_size > 4096)
  for (int64_t at = 0; at < g.planes * output_size; ++at) {
    const T* plane = x.data() + at / output_size * input_size;
    const int64_t od = at % output_size / (g.output[1] * g.output[2]);
    const int64_t oh = at % output_size / g.output[2] % g.output[1];
    const int64_t ow = at % g.output[2];
    T best{};
    bool first = true;
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd) {
      const int64_t d = od * g.stride[0] - g.before[0] + kd * g.dilation[0];
      if (d < 0 || d >= g.input[0]) continue;
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh) {
        const int64_t h = oh * g.stride[1] - g.before[1] + kh * g.dilation[1];
        if (h < 0 || h >= g.input[1]) continue;
        for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
          const int64_t w = ow * g.stride[2] - g.before[2] + kw * g.dilation[2];
          if (w < 0 || w >= g.input[2]) continue;
          const T value = plane[(d * g.input[1] + h) * g.input[2] + w];
          if (first || value > best || value != value) best = value;
          first = false;
        }
      }
    }
    y[static_cast<size_t>(at)] = best;
  }
  return y;
}

void Run(const ScalarCall& call) {
  WindowGeometry geometry;
  ReadWindows(call, geometry);
  if (call.scheme.copy && IsQuantized(call.x())) {
    return WriteIntegers(call.y(), Pool(geometry, ReadIntegers(call.x())));
  }
  WriteReal(call.y(), Pool(geometry, ReadReal(call.x())), call.scheme);
}

}  // namespace

const OperatorFamily& MaxPoolFamily() {
  static constexpr OperatorFamily kFamily{Check, CopyOrReal, Run};
  return kFamily;
}

}  // namespace qconform
