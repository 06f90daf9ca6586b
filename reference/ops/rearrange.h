// Moves the elements of tensors of any dtype; codes keep their parameters.
#ifndef QCONFORM_REFERENCE_OPS_REARRANGE_H_
#define QCONFORM_REFERENCE_OPS_REARRANGE_H_

#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

// x[index].
Tensor Row(const Tensor& x, int64_t index);

// Columns [begin, begin + count) of x [rows, columns].
Tensor Columns(const Tensor& x, int64_t begin, int64_t count);

// torch.stack(rows, 0). Precondition: equal shapes and parameters.
Tensor Stacked(const std::vector<Tensor>& rows);

// x.flip(0).
Tensor Reversed(const Tensor& x);

// x [a, b, n] -> [b, a, n].
Tensor Swapped(const Tensor& x);

// torch.cat([x, y], axis) of rank 3. Precondition: equal parameters, fitting shapes.
Tensor Joined(const Tensor& x, const Tensor& y, int axis);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_REARRANGE_H_
