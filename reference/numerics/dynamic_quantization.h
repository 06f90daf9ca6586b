// Real values quantized by their own range, as the operators do that quantize their input
// at run time.
#ifndef QCONFORM_REFERENCE_NUMERICS_DYNAMIC_QUANTIZATION_H_
#define QCONFORM_REFERENCE_NUMERICS_DYNAMIC_QUANTIZATION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference/numerics/abi_tensor.h"

namespace qconform {

struct DynamicCodes {
  std::vector<int32_t> codes;
  float scale;
  int32_t zero_point;
};

// The range of the values with zero, on the codes of `bounds` (both halved by
// reduce_range) by ChooseQuantizationParams; the codes are clamped to `bounds`. NaN does
// not widen the range and gets code 0 clamped to the bounds. Without values the range is
// [0, 0].
DynamicCodes QuantizeDynamically(std::span<const float> values, CodeBounds bounds,
                                 bool reduce_range);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_DYNAMIC_QUANTIZATION_H_
