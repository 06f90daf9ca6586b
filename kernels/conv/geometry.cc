#include "kernels/conv/geometry.h"

#include <utility>

namespace qconform::kernels {
namespace {

bool ReadAxis(const qc_attributes& a, int index, int64_t input, int64_t kernel,
              int64_t output, Axis& axis, std::string& reason) {
  axis = {input,
          output,
          kernel,
          a.stride[index],
          a.dilation[index],
          a.padding_before[index],
          a.padding_after[index]};
  if (a.kernel[index] != kernel) {
    reason = "attributes.kernel and the weight's shape differ";
  } else if (axis.kernel < 1 || axis.stride < 1 || axis.dilation < 1) {
    reason = "kernel, stride and dilation must be at least 1";
  } else if (axis.before < 0 || axis.after < 0) {
    reason = "negative padding";
  } else {
    const int64_t room = axis.input + axis.before + axis.after - axis.Span();
    const int64_t expected = room < 0 ? 0 : room / axis.stride + 1;
    if (expected == output) return true;
    reason = "the output's shape should have " + std::to_string(expected) +
             " in spatial dimension " + std::to_string(index) + ", it has " +
             std::to_string(output);
  }
  return false;
}

}  // namespace

bool ReadConvGeometry(const qc_descriptor& descriptor, ConvGeometry& g,
                      std::string& reason) {
  const qc_attributes& a = *descriptor.attributes;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& w = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  const int spatial = a.spatial_rank;
  const int channel = x.rank - spatial - 1;  // 0 without a batch dimension
  if (channel < 0 || channel > 1 || y.rank != x.rank || w.rank != spatial + 2) {
    reason = "ranks of input, weight and output do not fit a convolution";
    return false;
  }
  g = {};
  g.batch_dimension = channel == 1 ? 0 : -1;
  g.batch = channel == 1 ? x.shape[0] : 1;
  g.channel_dimension = channel;
  g.groups = a.groups;
  g.group_inputs = w.shape[1];
  if (g.groups < 1 || w.shape[0] % g.groups != 0 ||
      g.group_inputs * g.groups != x.shape[channel] || y.shape[channel] != w.shape[0] ||
      (channel == 1 && y.shape[0] != g.batch)) {
    reason = "batch, channels and groups of input, weight and output differ";
    return false;
  }
  g.group_outputs = w.shape[0] / g.groups;
  g.x_dimension = x.rank - 1;
  g.weight_x = w.rank - 1;
  if (!ReadAxis(a, spatial - 1, x.shape[g.x_dimension], w.shape[g.weight_x],
                y.shape[g.x_dimension], g.x, reason)) {
    return false;
  }
  if (spatial == 2) {
    g.y_dimension = x.rank - 2;
    g.weight_y = w.rank - 2;
    if (!ReadAxis(a, 0, x.shape[g.y_dimension], w.shape[g.weight_y],
                  y.shape[g.y_dimension], g.y, reason)) {
      return false;
    }
    const bool flat = g.x.input == 1 && g.x.kernel == 1 && g.x.output == 1 &&
                      g.x.before == 0 && g.x.after == 0;
    if (flat) {
      std::swap(g.x, g.y);
      std::swap(g.x_dimension, g.y_dimension);
      std::swap(g.weight_x, g.weight_y);
    }
  }
  return true;
}

ImageStride StridesOf(const ConvGeometry& g, const qc_tensor& tensor) {
  const auto at = [&](int dimension) {
    return dimension < 0 ? int64_t{0} : tensor.stride[dimension];
  };
  return {at(g.batch_dimension), at(g.y_dimension), at(g.x_dimension),
          at(g.channel_dimension)};
}

}  // namespace qconform::kernels
