// UPSAMPLE of [N, C, spatial]: the nearest element, or linear along each spatial
// dimension, in float32 (resampling.h).
#include <limits>
#include <utility>

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

ResizedAxis AxisOf(const ScalarCall& call, int axis) {
  return {call.x().shape[axis], call.y().shape[axis],
          call.attributes.scale_factor[axis - 2]};
}

template <typename T>
std::vector<T> Nearest(const ScalarCall& call, std::vector<T> values) {
  int64_t inner = 1;
  for (int i = call.x().rank - 1; i >= 2; --i) {
    const ResizedAxis axis = AxisOf(call, i);
    const std::vector<int64_t> sources = NearestSources(axis);
    std::vector<T> moved;
    const size_t plane = static_cast<size_t>(axis.size * inner);
    for (size_t first = 0; first < values.size(); first += plane) {
      for (const int64_t source : sources) {
        const T* from = values.data() + first + source * inner;
        moved.insert(moved.end(), from, from + inner);
      }
    }
    inner *= axis.target;
    values = std::move(moved);
  }
  return values;
}

std::vector<float> Linear(const ScalarCall& call, const std::vector<float>& values) {
  std::vector<ResizedAxis> axes;
  for (int i = 2; i < call.x().rank; ++i) axes.push_back(AxisOf(call, i));
  std::vector<float> resized(static_cast<size_t>(ElementCount(call.y())));
  ResizeLinearly(values.data(), call.x().shape[0] * call.x().shape[1], axes,
                 call.attributes.align_corners != 0, resized.data());
  return resized;
}

std::vector<std::string> Schemes(const ScalarCall& call) {
  return IsNearest(call) ? CopyOrReal(call) : RealOnly(call);
}

void Run(const ScalarCall& call) {
  if (call.scheme.copy && IsQuantized(call.x())) {
    return WriteIntegers(call.y(), Nearest(call, ReadIntegers(call.x())));
  }
  const std::vector<float> values = ReadReal(call.x());
  WriteReal(call.y(), IsNearest(call) ? Nearest(call, values) : Linear(call, values),
            call.scheme);
}

}  // namespace

const OperatorFamily& UpsampleFamily() {
  static constexpr OperatorFamily kFamily{Check, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
