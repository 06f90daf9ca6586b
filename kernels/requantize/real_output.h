// What becomes of a real value: itself, or a code by the real scheme.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_

#include <algorithm>
#include <bit>
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

  // Values outside of the kernels, to places `stride` bytes apart.
  void Store(const float* values, int64_t count, uint8_t* to, int64_t stride) const {
    if (!codes) {
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * stride, values + i, sizeof *values);
    } else if (stride == 1) {
#pragma omp simd
      for (int64_t i = 0; i < count; ++i) to[i] = Code(values[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) to[i * stride] = Code(values[i]);
    }
  }

 private:
  // As requantize/epilogue.h: clamped between integers first, then rounded by adding a
  // number whose last bit is one.
  uint8_t Code(float value) const {
    constexpr float kMagic = 12582912.0f;
    constexpr int32_t kMagicBits = 0x4B400000;
    const float scaled = value * reciprocal;
    const float above = scaled < lower ? lower : scaled;
    const float inside = above > upper ? upper : above;
    const int32_t code =
        std::bit_cast<int32_t>(inside + kMagic) + (zero_point - kMagicBits);
    return static_cast<uint8_t>(static_cast<uint8_t>(scaled == scaled ? code : of_nan) ^
                                flip);
  }
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
