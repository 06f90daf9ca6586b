#ifndef QCONFORM_REFERENCE_FORMATS_TENSOR_SIZE_H_
#define QCONFORM_REFERENCE_FORMATS_TENSOR_SIZE_H_

#include <optional>

#include "reference/ir/tensor.h"

namespace qconform {

// Bytes of a dense tensor of this shape; nullopt for a negative size and for more
// than any machine holds (2^47 bytes), also where another size is zero.
std::optional<uint64_t> CheckedByteSize(const Shape& shape, DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_TENSOR_SIZE_H_
