// Operators on quantized tensors by way of float32.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_THROUGH_FLOAT_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_THROUGH_FLOAT_H_

#include "reference/ops/registry.h"

namespace qconform {

// The call with every quantized tensor dequantized, in lists as well.
Call DequantizedCall(const Call& call);

// The first quantized tensor among the positional, then the keyword arguments, in lists
// as well; nullptr if there is none.
const Tensor* FirstQuantized(const Call& call);

// The result's float tensors (in tuples and lists as well), quantized.
Value QuantizeValue(const Value& value, const QuantizationParameters& parameters,
                    DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_THROUGH_FLOAT_H_
