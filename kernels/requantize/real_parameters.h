// The numbers that a kernel of real values needs (requantize/real_epilogue.h).
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_

#include <algorithm>
#include <cstdint>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {

// An 8-bit input per tensor: its bytes, flipped, less zero_point, times scale.
struct RealInputParameters {
  RealInputParameters() = default;
  explicit RealInputParameters(const qc_tensor& x)
      : flip(x.dtype == QC_S8 ? 0x80 : 0),
        zero_point(ZeroPointAt(x) + (x.dtype == QC_S8 ? 128 : 0)),
        scale(ScaleAt(x)) {}

  uint8_t flip = 0;
  int32_t zero_point = 0;
  float scale = 1;
};

// An 8-bit output per tensor, without an activation.
struct RealOutputParameters {
  RealOutputParameters() = default;
  explicit RealOutputParameters(const qc_tensor& y)
      : reciprocal(ReciprocalScale(ScaleAt(y))) {
    const CodeBounds bounds = BoundsOf(y);
    const int32_t shift = y.dtype == QC_S8 ? 128 : 0;
    lower = static_cast<float>(bounds.min - ZeroPointAt(y));
    upper = static_cast<float>(bounds.max - ZeroPointAt(y));
    zero_point = ZeroPointAt(y) + shift;
    of_nan = static_cast<int16_t>(std::clamp(0, bounds.min, bounds.max) + shift);
    flip = shift != 0 ? 0x80 : 0;
  }

  float reciprocal = 1, lower = 0, upper = 0;
  int32_t zero_point = 0;  // 128 more for s8 codes, which are then flipped
  int16_t of_nan = 0;
  uint8_t flip = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_
