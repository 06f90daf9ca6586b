// In C++, since Halide has no fused multiply-add: requantize/fused_multiply_add.h.
#include "kernels/embedding/row_kernel.h"

#include "kernels/requantize/fused_multiply_add.h"

namespace qconform::kernels {
namespace {

// The terms of a sum are the definition's, rounded where it rounds.
template <typename How, RowValues kValues, RowUse kUse, typename Element>
[[gnu::always_inline]] inline void Loop(const void* values, const RowNumbers& row,
                                        float factor, int64_t count, float* sum) {
  const auto* const x = static_cast<const Element*>(values);
  const float scale = row.scale, offset = row.offset;
  const int32_t zero_point = row.zero_point;
  const float scale_of_sum = scale * factor, offset_of_sum = offset * factor;
#pragma omp simd
  for (int64_t k = 0; k < count; ++k) {
    if constexpr (kValues == RowValues::kFromOffset && kUse == RowUse::kAdd) {
      sum[k] = How::FusedMultiplyAdd(static_cast<float>(x[k]), scale_of_sum,
                                     sum[k] + offset_of_sum);
    } else {
      float value;
      if constexpr (kValues == RowValues::kFromOffset) {
        value = How::FusedMultiplyAdd(static_cast<float>(x[k]), scale, 0.0f + offset);
      } else if constexpr (kValues == RowValues::kFromZeroPoint) {
        value = static_cast<float>(static_cast<int32_t>(x[k]) - zero_point) * scale;
      } else {
        value = x[k];
      }
      if constexpr (kUse == RowUse::kAdd) value = sum[k] + factor * value;
      if constexpr (kUse == RowUse::kKeepLargest) value = value > sum[k] ? value : sum[k];
      sum[k] = value;
    }
  }
}

template <RowValues kValues, RowUse kUse, typename Element>
void Plain(const void* values, const RowNumbers& row, float factor, int64_t count,
           float* sum) {
#if defined(__x86_64__)
  Loop<InDouble, kValues, kUse, Element>(values, row, factor, count, sum);
#else
  Loop<InOneInstruction, kValues, kUse, Element>(values, row, factor, count, sum);
#endif
}

#if defined(__x86_64__)
template <RowValues kValues, RowUse kUse, typename Element>
[[gnu::target("avx2,fma")]] void Fused(const void* values, const RowNumbers& row,
                                       float factor, int64_t count, float* sum) {
  Loop<InOneInstruction, kValues, kUse, Element>(values, row, factor, count, sum);
}
#endif

template <RowValues kValues, RowUse kUse, typename Element>
RowKernel OfPath(Path path) {
#if defined(__x86_64__)
  if (path != Path::kSse41) return Fused<kValues, kUse, Element>;
#endif
  static_cast<void>(path);
  return Plain<kValues, kUse, Element>;
}

template <RowUse kUse>
RowKernel OfUse(Path path, RowValues values, bool is_signed) {
  switch (values) {
    case RowValues::kFromOffset:
      return is_signed ? OfPath<RowValues::kFromOffset, kUse, int8_t>(path)
                       : OfPath<RowValues::kFromOffset, kUse, uint8_t>(path);
    case RowValues::kFromZeroPoint:
      return is_signed ? OfPath<RowValues::kFromZeroPoint, kUse, int8_t>(path)
                       : OfPath<RowValues::kFromZeroPoint, kUse, uint8_t>(path);
    default:
      return OfPath<RowValues::kReal, kUse, float>(path);
  }
}

}  // namespace

RowKernel ChooseRowKernel(Path path, RowValues values, bool is_signed, RowUse use) {
  switch (use) {
    case RowUse::kAdd:
      return OfUse<RowUse::kAdd>(path, values, is_signed);
    case RowUse::kKeepLargest:
      return OfUse<RowUse::kKeepLargest>(path, values, is_signed);
    default:
      return OfUse<RowUse::kStore>(path, values, is_signed);
  }
}

}  // namespace qconform::kernels
