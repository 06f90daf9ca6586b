#include "reference/numerics/window.h"

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

// [.., spatial] with one or two leading dimensions: torch also takes [C, spatial].
std::string ReadShapes(const ScalarCall& call, WindowGeometry& geometry) {
  const qc_tensor& x = call.x();
  const qc_tensor& y = call.y();
  const int spatial = call.attributes.spatial_rank;
  if (spatial < 1 || spatial > 3) return "spatial_rank is not 1, 2 or 3";
  if (x.rank != y.rank || x.rank < spatial + 1 || x.rank > spatial + 2) {
    return "the ranks do not fit the spatial rank";
  }
  const int leading = x.rank - spatial;
  for (int i = 0; i < leading; ++i) {
    if (x.shape[i] != y.shape[i]) return "batch or channels differ";
    geometry.planes *= x.shape[i];
  }
  for (int i = 0; i < spatial; ++i) {
    const size_t axis = static_cast<size_t>(3 - spatial + i);
    geometry.input[axis] = x.shape[leading + i];
    geometry.output[axis] = y.shape[leading + i];
  }
  std::string objection = CheckValues(x, "the input");
  if (objection.empty()) objection = CheckValues(y, "the output");
  return objection;
}

std::string CheckAxis(const WindowGeometry& g, size_t axis, bool ceil_mode) {
  if (g.kernel[axis] < 1 || g.stride[axis] < 1 || g.dilation[axis] < 1) {
    return "kernel, stride or dilation is not positive";
  }
  if (g.before[axis] < 0 || g.after[axis] < 0 || g.before[axis] > g.kernel[axis] / 2 ||
      g.after[axis] > g.kernel[axis] / 2) {
    return "padding is more than half of the kernel";
  }
  const int64_t reach = g.dilation[axis] * (g.kernel[axis] - 1) + 1;
  const int64_t span = g.input[axis] + g.before[axis] + g.after[axis] - reach;
  if (span < 0) return "the window is larger than the padded input";
  const int64_t stride = g.stride[axis];
  int64_t count = (ceil_mode ? span + stride - 1 : span) / stride + 1;
  if (ceil_mode && (count - 1) * stride >= g.input[axis] + g.before[axis]) --count;
  if (count != g.output[axis]) {
    return "the output has size " + std::to_string(g.output[axis]) + ", expected " +
           std::to_string(count);
  }
  return "";
}

}  // namespace

std::string ReadWindows(const ScalarCall& call, WindowGeometry& g) {
  std::string objection = ReadShapes(call, g);
  const qc_attributes& a = call.attributes;
  for (int i = 0; objection.empty() && i < a.spatial_rank; ++i) {
    const size_t axis = static_cast<size_t>(3 - a.spatial_rank + i);
    g.kernel[axis] = a.kernel[i];
    g.stride[axis] = a.stride[i] == 0 ? a.kernel[i] : a.stride[i];
    g.dilation[axis] = a.dilation[i] == 0 ? 1 : a.dilation[i];
    g.before[axis] = a.padding_before[i];
    g.after[axis] = a.padding_after[i];
    objection = CheckAxis(g, axis, a.ceil_mode != 0);
  }
  return objection;
}

std::string ReadAdaptiveWindows(const ScalarCall& call, WindowGeometry& g) {
  std::string objection = ReadShapes(call, g);
  for (size_t axis = 0; objection.empty() && axis < 3; ++axis) {
    if (g.input[axis] == 0 && g.output[axis] != 0) objection = "a window would be empty";
  }
  return objection;
}

}  // namespace qconform
