// torch's rules for the dtype of a result (torch.result_type).
#ifndef QCONFORM_REFERENCE_OPS_PROMOTE_H_
#define QCONFORM_REFERENCE_OPS_PROMOTE_H_

#include "reference/ir/dtype.h"
#include "reference/ops/value.h"

namespace qconform {

// torch.promote_types. Precondition: no quantized dtype.
DType PromoteTypes(DType a, DType b);

// Tensors with dimensions decide before tensors without, these before numbers; a
// lower rank only counts if it is of a higher kind (bool < integer < floating).
DType ResultType(const Value& a, const Value& b);

// A tensor as it is, a number as a tensor of shape [] (bool, int64 or float64).
// Precondition: a tensor or a number.
Tensor AsTensor(const Value& value);

bool IsNumber(const Value& value);

// float16, bfloat16, float32, float64 as they are; float32 for all others.
DType FloatingResult(DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_PROMOTE_H_
