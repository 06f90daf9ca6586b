// ADD, SUB, MUL of two tensors, broadcast as torch does, or of a tensor and a number.
#include <algorithm>

#include "reference/numerics/activation_function.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

// Byte-free strides of a dense tensor broadcast to `shape`: 0 along repeated axes.
std::vector<int64_t> BroadcastStrides(const std::vector<int64_t>& from,
                                      const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 0);
  int64_t step = 1;
  const size_t offset = shape.size() - from.size();
  for (size_t i = from.size(); i-- > 0;) {
    if (from[i] != 1) strides[offset + i] = step;
    step *= from[i];
  }
  return strides;
}

bool Broadcasts(const std::vector<int64_t>& from, const std::vector<int64_t>& shape) {
  if (from.size() > shape.size()) return false;
  const size_t offset = shape.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != shape[offset + i]) return false;
  }
  return true;
}

std::vector<float> Expanded(const qc_tensor& tensor, const std::vector<int64_t>& shape) {
  std::vector<float> values = ReadReal(tensor);
  if (ShapeOf(tensor) == shape) return values;
  const std::vector<int64_t> strides = BroadcastStrides(ShapeOf(tensor), shape);
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<float> expanded(static_cast<size_t>(count));
  std::vector<int64_t> index(shape.size(), 0);
  for (float& to : expanded) {
    int64_t at = 0;
    for (size_t i = 0; i < shape.size(); ++i) at += index[i] * strides[i];
    to = values[static_cast<size_t>(at)];
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return expanded;
}

std::string Check(const ScalarCall& call) {
  if (!DefinesFusedActivation(call.attributes)) return "the activation is not known";
  std::string objection = CheckValues(call.x(), "input 0");
  const qc_tensor* b = call.input(1);
  if (objection.empty() && b != nullptr) objection = CheckValues(*b, "input 1");
  if (objection.empty()) objection = CheckValues(call.y(), "the output");
  if (!objection.empty()) return objection;
  const std::vector<int64_t> shape = ShapeOf(call.y());
  std::vector<int64_t> want = ShapeOf(call.x());
  if (b != nullptr) {
    const std::vector<int64_t> other = ShapeOf(*b);
    want.insert(want.begin(), std::max(want.size(), other.size()) - want.size(), 1);
    for (size_t i = 0; i < other.size(); ++i) {
      int64_t& size = want[want.size() - other.size() + i];
      if (size == 1) size = other[i];
    }
    if (!Broadcasts(other, shape)) return "input 1 does not broadcast to the output";
  }
  if (want != shape || !Broadcasts(ShapeOf(call.x()), shape)) {
    return "the inputs do not broadcast to the output's shape";
  }
  return "";
}

float Combine(const ScalarCall& call, float a, float b) {
  // alpha 0 stands for a field that nobody set.
  const float alpha = call.attributes.alpha == 0.0f ? 1.0f : call.attributes.alpha;
  switch (call.kind) {
    case QC_MUL:
      return a * b;
    case QC_SUB:
      if (alpha == 1.0f) return a - b;
      return static_cast<float>(static_cast<double>(a) -
                                static_cast<double>(alpha) * static_cast<double>(b));
    default:
      if (alpha == 1.0f) return a + b;
      return static_cast<float>(static_cast<double>(a) +
                                static_cast<double>(alpha) * static_cast<double>(b));
  }
}

void Run(const ScalarCall& call) {
  const std::vector<int64_t> shape = ShapeOf(call.y());
  std::vector<float> a = Expanded(call.x(), shape);
  std::vector<float> b;
  if (call.input(1) != nullptr) {
    b = Expanded(*call.input(1), shape);
  } else {
    b.assign(a.size(), call.attributes.scalar);
    if (call.attributes.scalar_first != 0) a.swap(b);
  }
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = ApplyFusedActivation(call.attributes, Combine(call, a[i], b[i]));
  }
  WriteReal(call.y(), a, call.scheme);
}

}  // namespace

const OperatorFamily& BinaryFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
