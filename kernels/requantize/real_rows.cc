#include "kernels/requantize/real_rows.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace qconform::kernels {
namespace {

// Halide has no fused multiply-add, so this is C++: compiled once with the instruction
// and once without, chosen by the path. Without it the product is exact in double; the
// sum is rounded to odd there, after which rounding to float32 is the only one that
// counts.
struct InDouble {
  static float FusedMultiplyAdd(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double addend = c;
    const double sum = product + addend;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    auto bits = std::bit_cast<int64_t>(sum);
    const bool inexact = error < 0.0 || error > 0.0;
    if (inexact && (bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
    return static_cast<float>(std::bit_cast<double>(bits));
  }
};

struct InOneInstruction {
  [[gnu::always_inline]] static float FusedMultiplyAdd(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
};

template <typename How>
[[gnu::always_inline]] inline void Convert(int32_t* sums, int64_t stride, int64_t rows,
                                           int64_t columns, const float* multiplier,
                                           const float* bias, float lower, float upper) {
  for (int64_t row = 0; row < rows; ++row) {
    int32_t* const at = sums + row * stride;
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c) {
      const float value =
          How::FusedMultiplyAdd(static_cast<float>(at[c]), multiplier[c], bias[c]);
      const float above = value < lower ? lower : value;
      const float inside = above > upper ? upper : above;
      at[c] = std::bit_cast<int32_t>(inside);
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void ConvertFused(int32_t* sums, int64_t stride, int64_t rows,
                                              int64_t columns, const float* multiplier,
                                              const float* bias, float lower,
                                              float upper) {
  Convert<InOneInstruction>(sums, stride, rows, columns, multiplier, bias, lower, upper);
}
#endif

}  // namespace

void AccumulatorsToReal(Path path, int32_t* sums, int64_t stride, int64_t rows,
                        int64_t columns, const float* multiplier, const float* bias,
                        float lower, float upper) {
#if defined(__x86_64__)
  if (path != Path::kSse41) {
    ConvertFused(sums, stride, rows, columns, multiplier, bias, lower, upper);
    return;
  }
  Convert<InDouble>(sums, stride, rows, columns, multiplier, bias, lower, upper);
#else
  static_cast<void>(path);
  Convert<InOneInstruction>(sums, stride, rows, columns, multiplier, bias, lower, upper);
#endif
}

}  // namespace qconform::kernels
