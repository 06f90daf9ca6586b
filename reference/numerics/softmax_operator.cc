// SOFTMAX along one axis: exponentials and their sum in double, rounded once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  std::string objection = CheckSameShape(call);
  if (!objection.empty()) return objection;
  const int64_t axis = call.attributes.axis;
  return axis < 0 || axis >= std::max(call.x().rank, 1) ? "the axis is out of range" : "";
}

void Run(const ScalarCall& call) {
  std::vector<float> values = ReadReal(call.x());
  const std::vector<int64_t> shape = ShapeOf(call.x());
  const auto axis = static_cast<size_t>(call.attributes.axis);
  const int64_t size = shape.empty() ? 1 : shape[axis];
  int64_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t rows = size == 0 ? 0 : static_cast<int64_t>(values.size()) / size;
  for (int64_t row = 0; row < rows; ++row) {
    float* first = values.data() + row / inner * size * inner + row % inner;
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < size; ++i) {
      largest = std::max(largest, static_cast<double>(first[i * inner]));
    }
    double sum = 0.0;
    for (int64_t i = 0; i < size; ++i) {
      sum += std::exp(static_cast<double>(first[i * inner]) - largest);
    }
    for (int64_t i = 0; i < size; ++i) {
      float& value = first[i * inner];
      value = static_cast<float>(std::exp(static_cast<double>(value) - largest) / sum);
    }
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& SoftmaxFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
