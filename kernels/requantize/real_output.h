// What becomes of a real value: itself, or a code by the real scheme.
#ifndef QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
#define QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_

#include <cstdint>
#include <cstring>

#include "kernels/requantize/real_code.h"

namespace qconform::kernels {

// The arguments of RealToCode in real_epilogue.h, of codes per tensor; f32 needs none.
struct RealOutput : RealOutputParameters {
  bool codes = false;

  static RealOutput Of(const qc_tensor& y) {
    if (y.dtype == QC_F32) return {};
    return {RealOutputParameters(y), true};
  }

  int Bytes() const { return codes ? 1 : 4; }

  // Values outside of the kernels, to places `stride` bytes apart.
  void Store(const float* values, int64_t count, uint8_t* to, int64_t stride) const {
    if (!codes) {
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * stride, values + i, sizeof *values);
    } else if (stride == 1) {
#pragma omp simd
      for (int64_t i = 0; i < count; ++i) to[i] = ByteOfReal(values[i], *this);
    } else {
      for (int64_t i = 0; i < count; ++i) to[i * stride] = ByteOfReal(values[i], *this);
    }
  }
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_REAL_OUTPUT_H_
