// The C interface's structs over memory that the caller keeps.
#ifndef QCONFORM_REFERENCE_NUMERICS_DESCRIBE_H_
#define QCONFORM_REFERENCE_NUMERICS_DESCRIBE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Row-major over `data`: f32 or, with a scale of 1 and a zero point of 0, integers.
qc_tensor DenseTensor(qc_dtype dtype, const std::vector<int64_t>& shape, void* data);

// Without a scheme. Absent inputs are null.
qc_descriptor Descriptor(qc_operator_kind kind, const qc_attributes& attributes,
                         std::span<const qc_tensor* const> inputs,
                         std::span<const qc_tensor* const> outputs);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_DESCRIBE_H_
