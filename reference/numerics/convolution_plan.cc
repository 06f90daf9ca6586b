#include "reference/numerics/convolution_plan.h"

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/padded_index.h"

namespace qconform {
namespace {

int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

std::string PlanAxis(const ScalarCall& call, int i, ConvolutionPlan& plan) {
  const qc_attributes& a = call.attributes;
  const size_t axis = static_cast<size_t>(3 - a.spatial_rank + i);
  const int64_t size = plan.input[axis];
  const int64_t kernel = plan.kernel[axis];
  const int64_t stride = OneIfZero(a.stride[i]);
  const int64_t dilation = OneIfZero(a.dilation[i]);
  const int64_t before = a.padding_before[i];
  const int64_t after = a.padding_after[i];
  if (stride < 1 || dilation < 1) return "stride or dilation is not positive";
  const int64_t reach = dilation * (kernel - 1) + 1;
  plan.dilation[axis] = dilation;
  std::vector<int64_t>& source = plan.source[axis];
  int64_t output = 0;
  if (plan.transposed) {
    if (before < 0 || after < 0 || a.output_padding[i] < 0) return "padding is negative";
    if (size == 0) return "a transposed convolution of nothing has no size";
    output = (size - 1) * stride - before - after + reach + a.output_padding[i];
    plan.stride[axis] = 1;
    for (int64_t at = 0; at < output + reach - 1; ++at) {
      const int64_t spread = at - (reach - 1 - before);
      const bool hit = spread >= 0 && spread % stride == 0 && spread / stride < size;
      source.push_back(hit ? spread / stride : -1);
    }
  } else {
    const std::string objection = CheckPadding(size, before, after, a.padding_mode);
    if (!objection.empty()) return objection;
    const int64_t padded = size + before + after;
    output = padded < reach ? 0 : (padded - reach) / stride + 1;
    plan.stride[axis] = stride;
    for (int64_t at = 0; at < padded; ++at) {
      source.push_back(PaddedIndex(at - before, size, a.padding_mode));
    }
  }
  plan.padded[axis] = static_cast<int64_t>(source.size());
  if (output != plan.output[axis]) {
    return "the output has size " + std::to_string(plan.output[axis]) + ", expected " +
           std::to_string(output);
  }
  return "";
}

}  // namespace

std::string PlanConvolution(const ScalarCall& call, ConvolutionPlan& plan) {
  const qc_attributes& a = call.attributes;
  const qc_tensor& x = call.x();
  const qc_tensor& w = *call.inputs[1];
  const qc_tensor& y = call.y();
  const int spatial = a.spatial_rank;
  if (spatial < 1 || spatial > 3) return "spatial_rank is not 1, 2 or 3";
  if (x.rank != spatial + 2 || w.rank != spatial + 2 || y.rank != spatial + 2) {
    return "the ranks do not fit the spatial rank";
  }
  plan.transposed = call.kind == QC_CONV_TRANSPOSE;
  if (plan.transposed && a.padding_mode != QC_PADDING_ZEROS) {
    return "a transposed convolution pads with zeros only";
  }
  plan.groups = OneIfZero(a.groups);
  if (plan.groups < 1 || x.shape[1] % plan.groups != 0 || w.shape[0] % plan.groups != 0) {
    return "the channels do not divide into the groups";
  }
  plan.batch = x.shape[0];
  plan.channels = x.shape[1] / plan.groups;
  plan.outputs = plan.transposed ? w.shape[1] : w.shape[0] / plan.groups;
  const int64_t weight_channels = plan.transposed ? w.shape[0] / plan.groups : w.shape[1];
  if (weight_channels != plan.channels || y.shape[0] != x.shape[0] ||
      y.shape[1] != plan.outputs * plan.groups) {
    return "the channels of input, weight and output do not fit";
  }
  plan.source.fill({0});
  std::string objection;
  for (int i = 0; objection.empty() && i < spatial; ++i) {
    const size_t axis = static_cast<size_t>(3 - spatial + i);
    plan.input[axis] = x.shape[2 + i];
    plan.output[axis] = y.shape[2 + i];
    plan.kernel[axis] = w.shape[2 + i];
    plan.source[axis].clear();
    if (a.kernel[i] != 0 && a.kernel[i] != w.shape[2 + i]) {
      return "the kernel has another size than the weight";
    }
    if (w.shape[2 + i] < 1) return "the kernel is empty";
    objection = PlanAxis(call, i, plan);
  }
  return objection;
}

std::string PlanLinear(const ScalarCall& call, ConvolutionPlan& plan) {
  const qc_tensor& x = call.x();
  const qc_tensor& w = *call.inputs[1];
  const qc_tensor& y = call.y();
  if (w.rank != 2 || x.rank < 1 || y.rank != x.rank) {
    return "the ranks do not fit a linear layer";
  }
  plan.channels = x.shape[x.rank - 1];
  plan.outputs = w.shape[0];
  if (w.shape[1] != plan.channels || y.shape[y.rank - 1] != plan.outputs) {
    return "the features of input, weight and output do not fit";
  }
  for (int i = 0; i + 1 < x.rank; ++i) {
    if (x.shape[i] != y.shape[i]) return "input and output differ in a leading dimension";
    plan.batch *= x.shape[i];
  }
  plan.source.fill({0});
  return "";
}

}  // namespace qconform
