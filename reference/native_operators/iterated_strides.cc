#include "reference/native_operators/iterated_strides.h"

#include <algorithm>
#include <numeric>

namespace qconform {
namespace {

template <typename Holds>
bool All(const std::vector<Placement>& operands, Holds holds) {
  return std::all_of(operands.begin(), operands.end(), holds);
}

// With 0 along the axes that the operand is repeated on.
Strides Broadcast(const Placement& operand, const Shape& shape) {
  Strides strides(shape.size(), 0);
  const size_t missing = shape.size() - operand.shape.size();
  for (size_t axis = 0; axis < operand.shape.size(); ++axis) {
    const bool is_repeated = operand.shape[axis] == 1 && shape[missing + axis] != 1;
    if (!is_repeated) strides[missing + axis] = operand.strides[axis];
  }
  return strides;
}

// Whether axis a lies inside axis b (negative) or outside (positive): the first operand
// that is repeated along neither decides.
int Order(const std::vector<Strides>& operands, const Shape& shape, size_t a, size_t b) {
  for (const Strides& strides : operands) {
    if (strides[a] == 0 || strides[b] == 0) continue;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

// Innermost first. (reorder_dimensions)
std::vector<size_t> OrderedAxes(const std::vector<Strides>& operands,
                                const Shape& shape) {
  std::vector<size_t> axes(shape.size());
  std::iota(axes.rbegin(), axes.rend(), 0);
  for (size_t next = 1; next < axes.size(); ++next) {
    size_t moved = next;
    for (size_t other = next; other-- > 0;) {
      const int order = Order(operands, shape, axes[other], axes[moved]);
      if (order < 0) break;
      if (order == 0) continue;
      std::swap(axes[other], axes[moved]);
      moved = other;
    }
  }
  return axes;
}

}  // namespace

Strides IteratedStrides(const std::vector<Placement>& operands, const Shape& shape) {
  if (operands.empty()) return RowMajorStrides(shape);
  const Placement& first = operands.front();
  if (All(operands, [&](const Placement& operand) { return operand.shape == shape; })) {
    if (All(operands, [](const Placement& operand) { return operand.IsRowMajor(); })) {
      return RowMajorStrides(shape);
    }
    if (All(operands,
            [](const Placement& operand) { return operand.IsChannelsLast(); })) {
      return ChannelsLastStrides(shape);
    }
    if (first.IsDense() && All(operands, [&](const Placement& operand) {
          return operand.strides == first.strides;
        })) {
      return first.strides;
    }
  }
  std::vector<Strides> broadcast;
  for (const Placement& operand : operands)
    broadcast.push_back(Broadcast(operand, shape));
  Strides strides(shape.size());
  int64_t step = 1;
  for (const size_t axis : OrderedAxes(broadcast, shape)) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

}  // namespace qconform
