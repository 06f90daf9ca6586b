// Indices and offsets of a lookup, of s64 or s32 with any strides.
#ifndef QCONFORM_KERNELS_EMBEDDING_INDICES_H_
#define QCONFORM_KERNELS_EMBEDDING_INDICES_H_

#include <cstdint>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// to[i] = element i in torch's logical order, f32 as it is.
void ReadInOrder(const qc_tensor& tensor, int64_t* to);
void ReadInOrder(const qc_tensor& tensor, float* to);

// Throws std::invalid_argument unless all of them are rows of a table.
void CheckIndices(const int64_t* indices, int64_t count, int64_t rows);

// bounds[0 .. bags]: where each bag begins, and the last one's end. Throws
// std::invalid_argument unless they rise from 0 inside the indices.
void CheckBounds(const int64_t* bounds, int64_t bags, int64_t indices);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_EMBEDDING_INDICES_H_
