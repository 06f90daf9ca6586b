#include "conformance/compare/window.h"

#include <array>

#include "conformance/host/code_element.h"

namespace qconform {
namespace {

Window LinearWindow(const CallTensor& x, const CallTensor& w, int64_t index) {
  Window window;
  const int64_t outputs = w.shape[0];
  const int64_t k = w.shape[1];
  window.channels = k;
  window.output_channel = index % outputs;
  for (int64_t i = 0; i < k; ++i) {
    window.products.push_back({CodeAt(x, index / outputs * k + i),
                               CodeAt(w, window.output_channel * k + i), false});
  }
  return window;
}

}  // namespace

bool HasWindows(const OperatorCall& call) {
  if (call.kind != QC_CONV && call.kind != QC_LINEAR) return false;
  const auto is_code = [](const std::optional<CallTensor>& tensor) {
    return tensor && IsCode(tensor->dtype);
  };
  return call.inputs.size() >= 2 && is_code(call.inputs[0]) && is_code(call.inputs[1]) &&
         call.attributes.padding_mode == QC_PADDING_ZEROS;
}

Window WindowOf(const OperatorCall& call, int64_t index) {
  const CallTensor& x = *call.inputs[0];
  const CallTensor& w = *call.inputs[1];
  if (call.kind == QC_LINEAR) return LinearWindow(x, w, index);
  const qc_attributes& a = call.attributes;
  const auto rank = static_cast<size_t>(a.spatial_rank);
  const Shape& y = call.outputs[0].shape;
  std::array<int64_t, 3> at = {};
  for (size_t d = rank; d-- > 0;) {
    at[d] = index % y[2 + d];
    index /= y[2 + d];
  }
  Window window;
  window.output_channel = index % y[1];
  const int64_t image = index / y[1];
  const int64_t group = window.output_channel / (w.shape[0] / a.groups);
  window.channels = w.shape[1];
  int64_t taps = 1;
  for (size_t d = 0; d < rank; ++d) taps *= w.shape[2 + d];
  const int32_t zero = x.zero_point.empty() ? 0 : x.zero_point[0];
  for (int64_t tap = 0; tap < taps; ++tap) {
    std::array<int64_t, 3> k = {};
    int64_t rest = tap;
    for (size_t d = rank; d-- > 0;) {
      k[d] = rest % w.shape[2 + d];
      rest /= w.shape[2 + d];
    }
    bool inside = true;
    int64_t position = 0;
    int64_t positions = 1;
    for (size_t d = 0; d < rank; ++d) {
      const int64_t i = at[d] * a.stride[d] - a.padding_before[d] + k[d] * a.dilation[d];
      inside &= i >= 0 && i < x.shape[2 + d];
      position = position * x.shape[2 + d] + i;
      positions *= x.shape[2 + d];
    }
    for (int64_t c = 0; c < window.channels; ++c) {
      const int64_t channel = group * window.channels + c;
      const int64_t w_index = (window.output_channel * window.channels + c) * taps + tap;
      const int64_t x_index = (image * x.shape[1] + channel) * positions + position;
      window.products.push_back(
          {inside ? CodeAt(x, x_index) : zero, CodeAt(w, w_index), !inside});
    }
  }
  return window;
}

int64_t Multiplications(const OperatorCall& call) {
  int64_t count = NumElements(call.outputs[0].shape);
  if (HasWindows(call)) {
    const Shape& w = call.inputs[1]->shape;
    count *= w.empty() || w[0] == 0 ? 1 : NumElements(w) / w[0];
  }
  return count;
}

}  // namespace qconform
