// Reductions that other operators are made of.
#ifndef QCONFORM_REFERENCE_OPS_REDUCE_H_
#define QCONFORM_REFERENCE_OPS_REDUCE_H_

#include "reference/ir/tensor.h"

namespace qconform {

// torch.mean over the last `count` axes. Precondition: floating, rank at least count.
Tensor MeanOfTrailing(const Tensor& input, int count);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_REDUCE_H_
