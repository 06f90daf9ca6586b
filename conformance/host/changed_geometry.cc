#include "conformance/host/changed_geometry.h"

#include <algorithm>
#include <functional>

namespace qconform {
namespace {

// Of one spatial dimension. A stride or dilation that is not said is said here.
struct Window {
  int64_t input, kernel, stride, dilation, before, after, output_padding;

  int64_t span() const { return dilation * (kernel - 1) + 1; }
  int64_t OutputSize(bool transposed) const {
    if (transposed)
      return (input - 1) * stride - before - after + span() + output_padding;
    const int64_t room = input + before + after - span();
    return room < 0 ? 0 : room / stride + 1;
  }
};

bool IsPooling(const OperatorCall& call) {
  return call.kind == QC_MAX_POOL || call.kind == QC_AVG_POOL;
}

bool HasWindows(const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  const bool convolution = call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE;
  if (!convolution && !IsPooling(call)) return false;
  const auto rank = static_cast<size_t>(a.spatial_rank) + 2;
  if (call.inputs.empty() || !call.inputs[0] || call.inputs[0]->shape.size() != rank ||
      call.outputs.empty() || call.outputs[0].shape.size() != rank)
    return false;
  if (convolution &&
      (call.inputs.size() < 2 || !call.inputs[1] || call.inputs[1]->shape.size() != rank))
    return false;
  return a.padding_mode == QC_PADDING_ZEROS && a.ceil_mode == 0;
}

Window WindowOf(const OperatorCall& call, size_t d) {
  const qc_attributes& a = call.attributes;
  const int64_t kernel = IsPooling(call) ? a.kernel[d] : call.inputs[1]->shape[2 + d];
  const int64_t unsaid = IsPooling(call) ? kernel : 1;
  return {call.inputs[0]->shape[2 + d],
          kernel,
          a.stride[d] == 0 ? unsaid : a.stride[d],
          std::max<int64_t>(a.dilation[d], 1),
          a.padding_before[d],
          a.padding_after[d],
          a.output_padding[d]};
}

// False: nothing has changed, or no output would be left.
bool Change(OperatorCall& call, bool keep_shape,
            const std::function<void(Window&)>& change) {
  qc_attributes& a = call.attributes;
  const bool transposed = call.kind == QC_CONV_TRANSPOSE;
  bool changed = false;
  for (size_t d = 0; d < static_cast<size_t>(a.spatial_rank); ++d) {
    Window window = WindowOf(call, d);
    int64_t& size = call.outputs[0].shape[2 + d];
    if (window.OutputSize(transposed) != size) return false;
    const Window was = window;
    change(window);
    const int64_t left = window.OutputSize(transposed);
    if (window.before < 0 || window.after < 0 || left < 1) continue;
    if (keep_shape && left != size) continue;
    changed = changed || window.stride != was.stride || window.dilation != was.dilation ||
              window.before != was.before || window.after != was.after;
    a.stride[d] = window.stride;
    a.dilation[d] = window.dilation;
    a.padding_before[d] = window.before;
    a.padding_after[d] = window.after;
    size = left;
  }
  return changed;
}

}  // namespace

std::vector<OperatorCall> CallsOfOtherGeometry(const OperatorCall& call) {
  std::vector<OperatorCall> others;
  if (!HasWindows(call)) return others;
  const auto add = [&](bool keep_shape, const std::function<void(Window&)>& change) {
    if (!keep_shape && call.attributes.residual != 0) return;
    OperatorCall other = call;
    if (Change(other, keep_shape, change)) others.push_back(std::move(other));
  };
  add(false, [](Window& w) { w.stride += w.stride > 2 ? -1 : 1; });
  const bool pooling = IsPooling(call);
  add(true, [pooling](Window& w) {
    const int64_t move = w.after > 0 ? 1 : -1;
    if (pooling && std::max(w.before + move, w.after - move) > w.kernel / 2) return;
    w.before += move;
    w.after -= move;
  });
  // Pooling limits the padding by the kernel.
  if (pooling) return others;
  add(false, [](Window& w) { w.dilation += 1; });
  add(false, [](Window& w) { w.before += 1; });
  // What another dilation and another stride need is added as padding.
  add(true, [](Window& w) {
    w.dilation += 1;
    w.before += (w.kernel - 1) / 2;
    w.after += w.kernel / 2;
  });
  if (call.kind == QC_CONV_TRANSPOSE) return others;
  add(true, [](Window& w) {
    const int64_t outputs = w.OutputSize(false);
    w.stride += 1;
    w.after += std::max<int64_t>(
        0, (outputs - 1) * w.stride + w.span() - w.input - w.before - w.after);
  });
  return others;
}

}  // namespace qconform
