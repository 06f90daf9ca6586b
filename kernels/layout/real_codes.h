// From the caller's activations, codes or float32, to real values.
#ifndef QCONFORM_KERNELS_LAYOUT_REAL_CODES_H_
#define QCONFORM_KERNELS_LAYOUT_REAL_CODES_H_

#include <cstdint>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// How elements become real values: (code - zero_point) * scale in float32, f32 as it is.
struct RealCodeMap {
  int32_t dtype = QC_U8;  // u8, s8 or f32
  int32_t zero_point = 0;
  float scale = 1.0f;
};

// Of a tensor that is quantized per tensor, or f32.
RealCodeMap RealMapOf(const qc_tensor& tensor);

// destination[i * destination_stride] = the element at source + i * stride, strides of
// the source in bytes.
void CopyCodes(const uint8_t* source, int64_t stride, int64_t count,
               const RealCodeMap& map, float* destination, int64_t destination_stride);

inline float ZeroCode(const RealCodeMap&, const float*) { return 0.0f; }

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_REAL_CODES_H_
