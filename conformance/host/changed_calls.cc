#include "conformance/host/changed_calls.h"

#include <algorithm>
#include <cmath>

#include "conformance/host/changed_geometry.h"
#include "conformance/host/code_element.h"

namespace qconform {
namespace {

// Of a concatenation's many.
constexpr size_t kInputsChanged = 3;

// Far enough that codes of common data saturate at it.
constexpr int64_t kNear = 16;

bool IsBias(const OperatorCall& call, size_t input) {
  const bool weighted =
      call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE || call.kind == QC_LINEAR;
  return weighted && input == 2;
}

// Tells `change` where it makes `tensor_of(copy)` differ from the call's.
template <typename TensorOf, typename Change>
void Add(const OperatorCall& call, const std::string& what, const TensorOf& tensor_of,
         const Change& change, std::vector<ChangedCall>& changed) {
  OperatorCall other = call;
  if (change(tensor_of(other))) changed.push_back({what, std::move(other)});
}

bool Double(float& scale) {
  scale *= 2;
  return std::isfinite(scale);
}

bool MoveZeroPoints(CallTensor& tensor) {
  if (!IsQuantizedCode(tensor) || !tensor.zero_point_f32.empty()) return false;
  const CodeBounds bounds = BoundsOf(tensor);
  if (bounds.max - bounds.min < 2 * kNear) return false;
  tensor.zero_point.resize(tensor.scale.size(), 0);
  for (int32_t& zero : tensor.zero_point)
    zero += static_cast<int32_t>(zero + kNear <= bounds.max ? kNear : -kNear);
  return true;
}

bool Narrow(CallTensor& tensor) {
  if (!IsQuantizedCode(tensor)) return false;
  const CodeBounds bounds = BoundsOf(tensor);
  const int64_t zero = tensor.zero_point.empty() ? 0 : tensor.zero_point[0];
  const int64_t min = std::max(bounds.min, zero - kNear);
  const int64_t max = std::min(bounds.max, zero + kNear);
  if (min >= max || (min == bounds.min && max == bounds.max)) return false;
  tensor.quant_min = static_cast<int32_t>(min);
  tensor.quant_max = static_cast<int32_t>(max);
  return true;
}

bool Widen(CallTensor& tensor) {
  if (tensor.quant_min == tensor.quant_max) return false;
  tensor.quant_min = tensor.quant_max = 0;
  return true;
}

template <typename TensorOf>
void AddQparams(const OperatorCall& call, const std::string& whose,
                const TensorOf& tensor_of, std::vector<ChangedCall>& changed) {
  const auto first = [](CallTensor& tensor) {
    return !tensor.scale.empty() && Double(tensor.scale.front());
  };
  const auto last = [](CallTensor& tensor) {
    return tensor.scale.size() > 1 && Double(tensor.scale.back());
  };
  Add(call, "another scale of " + whose, tensor_of, first, changed);
  Add(call, "another last scale of " + whose, tensor_of, last, changed);
  Add(call, "another zero point of " + whose, tensor_of, MoveZeroPoints, changed);
}

void AddAttributes(const OperatorCall& call, std::vector<ChangedCall>& changed) {
  const auto attributes_of = [](OperatorCall& other) -> qc_attributes& {
    return other.attributes;
  };
  const auto add = [&](const char* what, const auto& change) {
    Add(call, what, attributes_of, change, changed);
  };
  add("another activation", [](qc_attributes& a) {
    const bool plain = a.activation == QC_ACTIVATION_NONE;
    a.activation = plain ? QC_ACTIVATION_RELU : QC_ACTIVATION_NONE;
    return true;
  });
  add("another alpha", [](qc_attributes& a) {
    a.alpha *= 2;
    return a.alpha != 0;
  });
  add("another scalar", [](qc_attributes& a) {
    a.scalar *= 2;
    return a.scalar != 0;
  });
}

}  // namespace

std::vector<ChangedCall> CallsOfOneChange(const OperatorCall& call) {
  std::vector<ChangedCall> changed;
  for (size_t i = 0; i < std::min(call.inputs.size(), kInputsChanged); ++i) {
    // A bias has the scale that the others give it.
    if (!call.inputs[i] || IsBias(call, i)) continue;
    AddQparams(
        call, "input " + std::to_string(i),
        [i](OperatorCall& other) -> CallTensor& { return *other.inputs[i]; }, changed);
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    AddQparams(
        call, "output " + std::to_string(i),
        [i](OperatorCall& other) -> CallTensor& { return other.outputs[i]; }, changed);
  }
  if (!call.outputs.empty()) {
    const auto output = [](OperatorCall& other) -> CallTensor& {
      return other.outputs[0];
    };
    Add(call, "a narrower range of output 0", output, Narrow, changed);
    Add(call, "the whole range of output 0", output, Widen, changed);
  }
  AddAttributes(call, changed);
  for (OperatorCall& other : CallsOfOtherGeometry(call))
    changed.push_back({"another geometry", std::move(other)});
  return changed;
}

}  // namespace qconform
