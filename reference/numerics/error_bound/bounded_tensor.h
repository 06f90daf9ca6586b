// ABI tensors as dense row-major vectors of bounded values, and as codes of an output.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_TENSOR_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_TENSOR_H_

#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/error_bound/bounded_value.h"

namespace qconform {

using BoundedValues = std::vector<Bounded>;

// Codes dequantized in float32, (code - zero point) * scale: one rounding. f32 as it is.
BoundedValues ReadBounded(const qc_tensor& tensor);

// Which slice of the quantized axis a dense index lies in; 0 per tensor.
int64_t QuantizedChannel(const qc_tensor& tensor, int64_t index);

// A real result of the output `y` as what it is written as: f32 as it is; codes as
// y / scale + zero point before rounding and clamp, after the division (or the product
// with the reciprocal) and, for those who add the zero point before they round, the sum.
Bounded InUnitsOf(const qc_tensor& y, int64_t index, const Bounded& real);

// Product of the sizes of dimensions [begin, end).
int64_t SizeOf(const qc_tensor& tensor, int begin, int end);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_TENSOR_H_
