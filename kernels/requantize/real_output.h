// What becomes of a real value: itself, or a code by the real scheme.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/requantize/parameters.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {

// The arguments of RealToCode in real_epilogue.h, of codes per tensor; f32 needs none.
struct RealOutput {
  bool codes = false;
  float reciprocal = 1, lower = 0, upper = 0;
  int32_t zero_point = 0;  // 128 more for s8 codes, which are then flipped
  int16_t of_nan = 0;
  uint8_t flip = 0;

  static RealOutput Of(const qc_tensor& y) {
    if (y.dtype == QC_F32) return {};
    RealOutput output;
    int32_t lowest = 0, highest = 0;
    CodeRange(y, lowest, highest);
    const int32_t zero_point = ZeroPoint(y, 0);
    const int32_t shift = y.dtype == QC_S8 ? 128 : 0;
    output.codes = true;
    output.reciprocal = ReciprocalScale(Scale(y, 0));
    output.lower = static_cast<float>(lowest - zero_point);
    output.upper = static_cast<float>(highest - zero_point);
    output.zero_point = zero_point + shift;
    output.of_nan = static_cast<int16_t>(std::clamp(0, lowest, highest) + shift);
    output.flip = shift != 0 ? 0x80 : 0;
    return output;
  }

  int Bytes() const { return codes ? 1 : 4; }

  // One value, outside of the kernels.
  void Store(float value, uint8_t* to) const {
    if (!codes) {
      std::memcpy(to, &value, sizeof value);
      return;
    }
    const float scaled = value * reciprocal;
    const int32_t code = scaled == scaled ? static_cast<int32_t>(RoundToEven(std::min(
                                                std::max(scaled, lower), upper))) +
                                                zero_point
                                          : of_nan;
    *to = static_cast<uint8_t>(code) ^ flip;
  }

 private:
  // Of a value between codes: adding this number leaves integers.
  static float RoundToEven(float value) {
    constexpr float kMagic = 12582912.0f;
    return (value + kMagic) - kMagic;
  }
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
