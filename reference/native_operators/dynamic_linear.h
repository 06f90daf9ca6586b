// Linear with an input that is quantized at run time.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_DYNAMIC_LINEAR_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_DYNAMIC_LINEAR_H_

#include <string>

#include "reference/native_operators/packed_values.h"

namespace qconform {

// x float32 [.., K] -> float32 [.., O]. qnnpack takes no notice of `reduce_range`. A
// float32 weight (packed as float16) multiplies x as it is.
// (quantized.linear_dynamic, linear_dynamic_fp16)
Tensor DynamicLinear(const Tensor& x, const NativeWeight& packed, bool relu,
                     bool reduce_range, const std::string& engine, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_DYNAMIC_LINEAR_H_
