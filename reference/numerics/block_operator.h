// Large calls in blocks of their first dimension: 32 bits an element of what is in work
// are too many for 2^31 elements.
#ifndef QCONFORM_REFERENCE_NUMERICS_BLOCK_OPERATOR_H_
#define QCONFORM_REFERENCE_NUMERICS_BLOCK_OPERATOR_H_

#include "reference/numerics/scalar_operator.h"

namespace qconform {

// As RunScalarOperator, and the same result. Only operators of one input whose slices
// along dimension 0 know nothing of each other are cut; others run whole.
qc_status RunScalarOperatorInBlocks(const qc_descriptor& descriptor,
                                    std::span<const qc_tensor* const> inputs,
                                    std::span<qc_tensor* const> outputs,
                                    int64_t largest_block = int64_t{1} << 24);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_BLOCK_OPERATOR_H_
