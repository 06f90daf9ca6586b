// Axes as torch counts them, and a tensor seen as [outer, axis, inner].
#ifndef QCONFORM_REFERENCE_OPS_AXIS_H_
#define QCONFORM_REFERENCE_OPS_AXIS_H_

#include <cstdint>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

// -rank..rank-1 to 0..rank-1; rank 0 counts as 1. Throws InputError outside.
int NormalizeAxis(int64_t axis, int rank, const Call& call);

// Distinct axes, normalized and in rising order; all of them for an empty list.
std::vector<int> NormalizeAxes(const std::vector<int64_t>& axes, int rank,
                               const Call& call);

struct AxisView {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
};
AxisView ViewAlong(const Shape& shape, int axis);

// The axes in a new order, as a copy: result axis i is axis order[i].
// Precondition: a permutation.
Tensor Permute(const Tensor& tensor, const std::vector<int>& order);

// Elements [begin, begin + length) of one axis, as a copy. Precondition: inside.
Tensor Narrow(const Tensor& tensor, int axis, int64_t begin, int64_t length);

// [...] as [1, ...], and back; storage is shared.
Tensor AddLeadingAxis(const Tensor& tensor);
Tensor DropLeadingAxis(const Tensor& tensor);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_AXIS_H_
