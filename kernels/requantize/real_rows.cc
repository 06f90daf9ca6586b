#include "kernels/requantize/real_rows.h"

#include <bit>

#include "kernels/requantize/fused_multiply_add.h"

namespace qconform::kernels {
namespace {

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
