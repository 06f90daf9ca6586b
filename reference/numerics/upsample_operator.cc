// UPSAMPLE of [N, C, spatial]: the nearest element, or linear along each spatial
// dimension, the innermost first, in float32 (resampling.h).
#include <limits>
#include <type_traits>

#include "reference/numerics/resampling.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

bool IsNearest(const ScalarCall& call) {
  return call.attributes.interpolation == QC_INTERPOLATION_NEAREST;
}

std::string CheckAxis(const ScalarCall& call, int spatial) {
  const int64_t size = call.x().shape[2 + spatial];
  const int64_t target = call.y().shape[2 + spatial];
  const double factor = call.attributes.scale_factor[spatial];
  if (size < 1 || target < 1) return "a spatial size is zero";
  if (factor == 0.0) return "";
  constexpr double kLargest = std::numeric_limits<int32_t>::max();
  if (!(factor > 0.0) || !(static_cast<double>(size) * factor <= kLargest)) {
    return "a scale factor is out of range";
  }
  return ResizedSize(size, factor) == target
             ? ""
             : "the output has another size than the scale factor gives";
}

std::string Check(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const qc_tensor& y = call.y();
  if (x.rank < 3 || x.rank > 5 || y.rank != x.rank) {
    return "input and output are not [N, C, 1 to 3 spatial dimensions]";
  }
  const int32_t mode = call.attributes.interpolation;
  if (mode != QC_INTERPOLATION_NEAREST && mode != QC_INTERPOLATION_BILINEAR) {
    return "the interpolation is not known";
  }
  if (IsNearest(call) && call.attributes.align_corners != 0) {
    return "the nearest element knows no aligned corners";
  }
  if (x.shape[0] != y.shape[0] || x.shape[1] != y.shape[1]) {
    return "input and output differ in samples or channels";
  }
  std::string objection = CheckValues(x, "the input");
  if (objection.empty()) objection = CheckValues(y, "the output");
  if (objection.empty()) objection = CheckNoActivation(call);
  if (objection.empty() && (x.quantized_axis >= 2 || y.quantized_axis >= 2)) {
    objection = "a spatial dimension has codes per channel";
  }
  for (int i = 0; objection.empty() && i < x.rank - 2; ++i)
    objection = CheckAxis(call, i);
  return objection;
}

// [outer, size, inner] with its axis resized: element i is combine(the axis' first
// element, i).
template <typename T, typename Combine>
std::vector<T> ResizeAxis(const std::vector<T>& values, const ResizedAxis& axis,
                          int64_t outer, int64_t inner, const Combine& combine) {
  std::vector<T> resized(static_cast<size_t>(outer * axis.target * inner));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < axis.target; ++i) {
      const T* from = values.data() + o * axis.size * inner;
      T* to = resized.data() + (o * axis.target + i) * inner;
      for (int64_t k = 0; k < inner; ++k) to[k] = combine(from + k, i);
    }
  }
  return resized;
}

template <typename T>
std::vector<T> Resize(const ScalarCall& call, std::vector<T> values) {
  const qc_tensor& x = call.x();
  const qc_tensor& y = call.y();
  int64_t inner = 1;
  for (int i = x.rank - 1; i >= 2; --i) {
    const ResizedAxis axis{x.shape[i], y.shape[i], call.attributes.scale_factor[i - 2]};
    int64_t outer = 1;
    for (int j = 0; j < i; ++j) outer *= x.shape[j];
    if (IsNearest(call)) {
      const std::vector<int64_t> sources = NearestSources(axis);
      values = ResizeAxis(values, axis, outer, inner, [&](const T* from, int64_t at) {
        return from[sources[static_cast<size_t>(at)] * inner];
      });
    } else if constexpr (std::is_same_v<T, float>) {
      const std::vector<LinearSource> sources =
          LinearSources(axis, call.attributes.align_corners != 0);
      values = ResizeAxis(values, axis, outer, inner, [&](const float* from, int64_t at) {
        const LinearSource& source = sources[static_cast<size_t>(at)];
        return source.Between(from[source.low * inner], from[source.high * inner]);
      });
    }
    inner *= axis.target;
  }
  return values;
}

std::vector<std::string> Schemes(const ScalarCall& call) {
  return IsNearest(call) ? CopyOrReal(call) : RealOnly(call);
}

void Run(const ScalarCall& call) {
  if (call.scheme.copy && IsQuantized(call.x())) {
    WriteIntegers(call.y(), Resize(call, ReadIntegers(call.x())));
  } else {
    WriteReal(call.y(), Resize(call, ReadReal(call.x())));
  }
}

}  // namespace

const OperatorFamily& UpsampleFamily() {
  static constexpr OperatorFamily kFamily{Check, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
