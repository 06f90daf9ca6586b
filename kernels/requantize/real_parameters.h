// The numbers that a kernel of real values needs (requantize/real_epilogue.h).
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_

#include <algorithm>
#include <cstdint>

#include "kernels/requantize/parameters.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {

// An 8-bit input per tensor: its bytes, flipped, less zero_point, times scale.
struct RealInputParameters {
  explicit RealInputParameters(const qc_tensor& x)
      : flip(x.dtype == QC_S8 ? 0x80 : 0),
        zero_point(ZeroPoint(x, 0) + (x.dtype == QC_S8 ? 128 : 0)),
        scale(Scale(x, 0)) {}

  uint8_t flip;
  int32_t zero_point;
  float scale;
};

// An 8-bit output per tensor, without an activation.
struct RealOutputParameters {
  explicit RealOutputParameters(const qc_tensor& y)
      : reciprocal(ReciprocalScale(Scale(y, 0))) {
    int32_t lowest = 0, highest = 0;
    CodeRange(y, lowest, highest);
    const int32_t shift = y.dtype == QC_S8 ? 128 : 0;
    lower = static_cast<float>(lowest - ZeroPoint(y, 0));
    upper = static_cast<float>(highest - ZeroPoint(y, 0));
    zero_point = ZeroPoint(y, 0) + shift;
    of_nan = static_cast<int16_t>(std::clamp(0, lowest, highest) + shift);
    flip = shift != 0 ? 0x80 : 0;
  }

  float reciprocal, lower, upper;
  int32_t zero_point;
  int16_t of_nan;
  uint8_t flip;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_PARAMETERS_H_
