// Float32 rows quantized by the range of all of them. Scalar definition:
// reference/numerics/dynamic_quantization.h.
#ifndef QCONFORM_KERNELS_LINEAR_DYNAMIC_INPUT_H_
#define QCONFORM_KERNELS_LINEAR_DYNAMIC_INPUT_H_

#include <cstdint>

#include "kernels/layout/real_range.h"

namespace qconform::kernels {

struct DynamicQparams {
  float scale = 1.0f;
  int32_t zero_point = 0;

  // u8 codes for the range.
  static DynamicQparams Choose(const RealRange& range, bool reduce_range);
  // What the products see of it: 16 bits, in which a zero point that a range without an
  // end gets is zero.
  int32_t ProductZeroPoint() const { return static_cast<int16_t>(zero_point); }
};

// codes[i] = the u8 code, or 128 less, or the code less its zero point.
void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, uint8_t* codes);
void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, int8_t* codes);
void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, int16_t* codes);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LINEAR_DYNAMIC_INPUT_H_
