// Sums, means, maxima, and normalizations by them.
#include <algorithm>
#include <cmath>

#include "conformance/adapters/onnx/onnx_evaluator.h"

namespace qconform {
namespace {

Array Reduce(const Array& x, const std::vector<int64_t>& axes, bool keep,
             const std::string& how) {
  Shape kept = x.shape;
  int64_t width = 1;
  for (const int64_t axis : axes) {
    width *= kept.at(static_cast<size_t>(axis));
    kept[static_cast<size_t>(axis)] = 1;
  }
  Array y = EmptyArray(x.dtype, kept);
  const bool largest = how == "ReduceMax";
  const bool least = how == "ReduceMin";
  if (largest) std::fill(y.values.begin(), y.values.end(), -INFINITY);
  if (least) std::fill(y.values.begin(), y.values.end(), INFINITY);
  auto from = x.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    double& to = y.values[static_cast<size_t>(BroadcastPlace(kept, index))];
    to = largest ? std::max(to, *from) : least ? std::min(to, *from) : to + *from;
    ++from;
  });
  if (how == "ReduceMean")
    for (double& value : y.values) value /= static_cast<double>(width);
  if (!keep) {
    std::vector<int64_t> sorted = axes;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const int64_t axis : sorted) y.shape.erase(y.shape.begin() + axis);
  }
  return y;
}

Array ReduceNode(const NodeCall& call) {
  std::vector<int64_t> axes = call.Integers("axes", {});
  if (const Array* given = call.OptionalInput(1))
    axes.assign(given->values.begin(), given->values.end());
  return Reduce(call.Input(0), axes, call.Integer("keepdims", 1) != 0, call.op_type());
}

Array GlobalAveragePool(const NodeCall& call) {
  std::vector<int64_t> axes;
  for (size_t i = 2; i < call.Input(0).shape.size(); ++i)
    axes.push_back(static_cast<int64_t>(i));
  return Reduce(call.Input(0), axes, true, "ReduceMean");
}

// The row of the array around every place: all elements along the axes from `axis` on.
template <typename Visit>
void ForEachRow(Array& y, int64_t width, const Visit& visit) {
  if (width == 0) return;
  for (size_t begin = 0; begin < y.values.size(); begin += static_cast<size_t>(width))
    visit(y.values.data() + begin, static_cast<int64_t>(begin) / width);
}

void Normalize(double* row, int64_t width, double epsilon) {
  double mean = 0;
  for (int64_t i = 0; i < width; ++i) mean += row[i];
  mean /= static_cast<double>(width);
  double variance = 0;
  for (int64_t i = 0; i < width; ++i) variance += (row[i] - mean) * (row[i] - mean);
  variance /= static_cast<double>(width);
  for (int64_t i = 0; i < width; ++i)
    row[i] = (row[i] - mean) / std::sqrt(variance + epsilon);
}

Array InstanceNormalization(const NodeCall& call) {
  Array y = call.Input(0);
  const double epsilon = call.Real("epsilon", 1e-5f);
  const int64_t plane = NumElements({y.shape.begin() + 2, y.shape.end()});
  ForEachRow(y, plane, [&](double* row, int64_t at) {
    Normalize(row, plane, epsilon);
    const auto channel = static_cast<size_t>(at % y.shape[1]);
    for (int64_t i = 0; i < plane; ++i)
      row[i] = row[i] * call.Input(1).values[channel] + call.Input(2).values[channel];
  });
  return y;
}

Array LayerNormalization(const NodeCall& call) {
  Array y = call.Input(0);
  const double epsilon = call.Real("epsilon", 1e-5f);
  // From the end if negative.
  int64_t axis = call.Integer("axis", -1);
  if (axis < 0) axis += static_cast<int64_t>(y.shape.size());
  const int64_t width = NumElements({y.shape.begin() + axis, y.shape.end()});
  ForEachRow(y, width, [&](double* row, int64_t) {
    Normalize(row, width, epsilon);
    for (int64_t i = 0; i < width; ++i) {
      row[i] *= call.Input(1).values[static_cast<size_t>(i)];
      if (const Array* bias = call.OptionalInput(2))
        row[i] += bias->values[static_cast<size_t>(i)];
    }
  });
  return y;
}

Array BatchNormalization(const NodeCall& call) {
  Array y = call.Input(0);
  const double epsilon = call.Real("epsilon", 1e-5f);
  const int64_t plane = NumElements({y.shape.begin() + 2, y.shape.end()});
  ForEachRow(y, plane, [&](double* row, int64_t at) {
    const auto c = static_cast<size_t>(at % y.shape[1]);
    const double deviation = std::sqrt(call.Input(4).values[c] + epsilon);
    for (int64_t i = 0; i < plane; ++i)
      row[i] = (row[i] - call.Input(3).values[c]) / deviation * call.Input(1).values[c] +
               call.Input(2).values[c];
  });
  return y;
}

Array Softmax(const NodeCall& call) {
  const Array& x = call.Input(0);
  const std::vector<int64_t> axis = {call.Integer("axis", -1)};
  const Array largest = Reduce(x, axis, true, "ReduceMax");
  Array y = x;
  auto to = y.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    *to = std::exp(
        *to - largest.values[static_cast<size_t>(BroadcastPlace(largest.shape, index))]);
    ++to;
  });
  const Array sums = Reduce(y, axis, true, "ReduceSum");
  to = y.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    *to++ /= sums.values[static_cast<size_t>(BroadcastPlace(sums.shape, index))];
  });
  return y;
}

// "ncxy,ax,by->ncab": a product with a matrix along each dimension from the third on.
Array Einsum(const NodeCall& call) {
  Array y = call.Input(0);
  for (size_t i = 1; i < call.input_count(); ++i) {
    const Array& matrix = call.Input(i);
    const size_t axis = i + 1;
    if (axis >= y.shape.size() || matrix.shape[1] != y.shape[axis])
      call.Fail("an equation that qconform does not write");
    Shape shape = y.shape;
    shape[axis] = matrix.shape[0];
    Array product = EmptyArray(y.dtype, shape);
    auto to = product.values.begin();
    ForEachIndex(shape, [&](std::vector<int64_t> index) {
      const int64_t row = index[axis];
      for (int64_t k = 0; k < y.shape[axis]; ++k) {
        index[axis] = k;
        *to += matrix.values[static_cast<size_t>(row * matrix.shape[1] + k)] *
               y.values[static_cast<size_t>(BroadcastPlace(y.shape, index))];
      }
      ++to;
    });
    y = std::move(product);
  }
  return y;
}

}  // namespace

void AddReductionNodes(NodeDefinitions& nodes) {
  nodes["ReduceMean"] = ReduceNode;
  nodes["ReduceSum"] = ReduceNode;
  nodes["ReduceMax"] = ReduceNode;
  nodes["ReduceMin"] = ReduceNode;
  nodes["GlobalAveragePool"] = GlobalAveragePool;
  nodes["InstanceNormalization"] = InstanceNormalization;
  nodes["LayerNormalization"] = LayerNormalization;
  nodes["BatchNormalization"] = BatchNormalization;
  nodes["Softmax"] = Softmax;
  nodes["Einsum"] = Einsum;
}

}  // namespace qconform
