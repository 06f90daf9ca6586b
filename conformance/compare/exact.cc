#include "conformance/compare/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/host/code_element.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

// An output with fewer live elements than this, and less than one in fifty of them
// live, shows hardly anything.
constexpr int64_t kFewLive = 16;
constexpr int64_t kLiveShare = 50;

struct RealBounds {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};

// What the operator, or the activation fused to it, clamps to.
RealBounds ClampOf(const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  RealBounds bounds;
  const int32_t fused = a.activation;
  const bool relu6 = fused == QC_ACTIVATION_RELU6 || call.kind == QC_RELU6;
  if (fused == QC_ACTIVATION_RELU || call.kind == QC_RELU || relu6) bounds.min = 0;
  if (relu6) bounds.max = 6;
  if (call.kind == QC_CLAMP) bounds = {a.minimum, a.maximum};
  if (fused == QC_ACTIVATION_CLAMP) bounds = {a.activation_min, a.activation_max};
  return bounds;
}

// The codes between which nothing was clipped.
CodeBounds LiveBounds(const OperatorCall& call, const CallTensor& output) {
  const CodeBounds bounds = BoundsOf(output);
  if (output.scale.size() != 1 || output.zero_point.size() != 1) return bounds;
  const RealBounds clamp = ClampOf(call);
  const auto code_of = [&](float bound) {
    return QuantizeSaturating(bound, ReciprocalScale(output.scale[0]),
                              output.zero_point[0], static_cast<int32_t>(bounds.min),
                              static_cast<int32_t>(bounds.max));
  };
  return {code_of(clamp.min), code_of(clamp.max)};
}

}  // namespace

double ElementAt(const CallTensor& tensor, const Bytes& data, int64_t index) {
  // By far the most frequent.
  if (IsCode(tensor.dtype)) {
    const auto byte = static_cast<uint8_t>(data[static_cast<size_t>(index)]);
    return tensor.dtype == QC_S8 ? static_cast<int8_t>(byte) : byte;
  }
  const size_t item = AbiItemSize(tensor.dtype);
  Tensor element(PlainDTypeOf(tensor.dtype), {1});
  std::memcpy(element.bytes(), data.data() + static_cast<size_t>(index) * item, item);
  return element.ValueAt(0);
}

Difference CompareExactly(const std::vector<CallTensor>& outputs,
                          const std::vector<Bytes>& got, const std::vector<Bytes>& want) {
  assert(got.size() == outputs.size() && want.size() == outputs.size());
  Difference difference;
  for (size_t o = 0; o < outputs.size(); ++o) {
    const size_t item = AbiItemSize(outputs[o].dtype);
    const auto count = NumElements(outputs[o].shape);
    difference.elements += count;
    if (got[o] == want[o]) continue;
    assert(got[o].size() == want[o].size());
    for (int64_t i = 0; i < count; ++i) {
      const size_t at = static_cast<size_t>(i) * item;
      if (std::memcmp(&got[o][at], &want[o][at], item) == 0) continue;
      if (difference.wrong++ == 0) {
        difference.output = o;
        difference.index = i;
      }
      const double distance =
          std::abs(ElementAt(outputs[o], got[o], i) - ElementAt(outputs[o], want[o], i));
      // A NaN is as far away as can be.
      if (!(distance <= difference.largest)) difference.largest = distance;
      difference.all_by_one &= IsCode(outputs[o].dtype) && distance == 1;
    }
  }
  return difference;
}

std::string ElementName(const CallTensor& tensor, size_t output, int64_t index) {
  std::vector<int64_t> place(tensor.shape.size());
  for (size_t d = place.size(); d-- > 0;) {
    place[d] = index % tensor.shape[d];
    index /= tensor.shape[d];
  }
  return fmt::format("y{}[{}]", output == 0 ? "" : std::to_string(output),
                     fmt::join(place, ","));
}

std::string ReasonForMistrust(const OperatorCall& call, const std::vector<Bytes>& want) {
  for (size_t o = 0; o < call.outputs.size(); ++o) {
    const CallTensor& output = call.outputs[o];
    const int64_t count = NumElements(output.shape);
    if (count == 0) continue;
    const size_t item = AbiItemSize(output.dtype);
    const bool all_equal =
        std::memcmp(want[o].data(), want[o].data() + item, want[o].size() - item) == 0;
    if (count > 1 && all_equal) {
      return fmt::format("all {} expected elements of output {} are {}", count, o,
                         ElementAt(output, want[o], 0));
    }
    if (!IsCode(output.dtype)) continue;
    const CodeBounds bounds = LiveBounds(call, output);
    int64_t live = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double code = ElementAt(output, want[o], i);
      live += code > static_cast<double>(bounds.min) &&
              code < static_cast<double>(bounds.max);
    }
    if (live == 0 || (live < kFewLive && live * kLiveShare < count)) {
      return fmt::format("{} of {} expected codes of output {} are saturated",
                         count - live, count, o);
    }
  }
  return "";
}

}  // namespace qconform
