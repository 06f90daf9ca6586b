// A part of a tensor along its first axis.
#ifndef QCONFORM_REFERENCE_IR_ROWS_H_
#define QCONFORM_REFERENCE_IR_ROWS_H_

#include "reference/ir/tensor.h"

namespace qconform {

// Rows [begin, end) of x, copied; codes keep their parameters. Precondition:
// 0 <= begin <= end <= dim(0), no scale for each row.
Tensor Rows(const Tensor& x, int64_t begin, int64_t end);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ROWS_H_
