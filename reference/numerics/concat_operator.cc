// CONCAT: inputs with the output's parameters are copied, others are rescaled.
#include <algorithm>

#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  const qc_tensor& y = call.y();
  const int64_t axis = call.attributes.axis;
  if (axis < 0 || axis >= y.rank) return "the axis is out of range";
  std::string objection = CheckValues(y, "the output");
  int64_t total = 0;
  for (size_t i = 0; objection.empty() && i < call.inputs.size(); ++i) {
    const std::string name = "input " + std::to_string(i);
    const qc_tensor* x = call.input(i);
    if (x == nullptr) return name + " is missing";
    objection = CheckValues(*x, name);
    std::vector<int64_t> shape = ShapeOf(*x);
    if (shape.size() != static_cast<size_t>(y.rank)) return name + " has another rank";
    total += shape[static_cast<size_t>(axis)];
    shape[static_cast<size_t>(axis)] = y.shape[axis];
    if (shape != ShapeOf(y)) return name + " does not fit beside the others";
  }
  if (objection.empty() && total != y.shape[axis]) {
    return "the output has another size along the axis than the inputs together";
  }
  return objection;
}

std::vector<std::string> Schemes(const ScalarCall& call) {
  for (const qc_tensor* x : call.inputs) {
    if (!SameQparams(*x, call.y())) return {kRealSchemeName};
  }
  return {kCopySchemeName, kRealSchemeName};
}

template <typename T, typename Read>
std::vector<T> Join(const ScalarCall& call, const Read& read) {
  const qc_tensor& y = call.y();
  int64_t inner = 1;
  for (int i = static_cast<int>(call.attributes.axis) + 1; i < y.rank; ++i) {
    inner *= y.shape[i];
  }
  const int64_t row = y.shape[call.attributes.axis] * inner;
  std::vector<T> joined(static_cast<size_t>(ElementCount(y)));
  int64_t offset = 0;
  for (const qc_tensor* x : call.inputs) {
    const std::vector<T> values = read(*x);
    const int64_t width = x->shape[call.attributes.axis] * inner;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      joined[static_cast<size_t>(at / width * row + offset + at % width)] = values[i];
    }
    offset += width;
  }
  return joined;
}

void Run(const ScalarCall& call) {
  if (call.scheme.copy && IsQuantized(call.y())) {
    WriteIntegers(call.y(), Join<int32_t>(call, ReadIntegers));
  } else {
    WriteReal(call.y(), Join<float>(call, ReadReal), call.scheme);
  }
}

}  // namespace

const OperatorFamily& ConcatFamily() {
  static constexpr OperatorFamily kFamily{Check, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
