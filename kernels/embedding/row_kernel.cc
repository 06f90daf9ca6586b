// In C++, since Halide has no fused multiply-add: requantize/fused_multiply_add.h.
#include "kernels/embedding/row_kernel.h"

#include "kernels/requantize/fused_multiply_add.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace qconform::kernels {
namespace {

// The terms of a sum are the definition's, in its order and rounded where it rounds.
template <typename How, RowValues kValues, RowUse kUse, typename Element>
struct Step {
  const Element* values;
  float scale, offset, factor;
  int32_t zero_point;

  [[gnu::always_inline]] explicit Step(const LookedUpRow& row)
      : values(static_cast<const Element*>(row.values)),
        scale(row.numbers.scale),
        offset(row.numbers.offset),
        factor(row.factor),
        zero_point(row.numbers.zero_point) {
    if (kValues == RowValues::kFromOffset && kUse == RowUse::kAdd) {
      scale *= factor;
      offset *= factor;
    } else {
      offset += 0.0f;
    }
  }

  [[gnu::always_inline]] float Value(int64_t k) const {
    if constexpr (kValues == RowValues::kFromOffset)
      return How::FusedMultiplyAdd(static_cast<float>(values[k]), scale, offset);
    if constexpr (kValues == RowValues::kFromZeroPoint)
      return static_cast<float>(static_cast<int32_t>(values[k]) - zero_point) * scale;
    return static_cast<float>(values[k]);
  }

  [[gnu::always_inline]] float After(float sum, int64_t k) const {
    if constexpr (kUse == RowUse::kStore) return Value(k);
    if constexpr (kUse == RowUse::kKeepLargest) {
      const float value = Value(k);
      return value > sum ? value : sum;
    }
    if constexpr (kValues == RowValues::kFromOffset)
      return How::FusedMultiplyAdd(static_cast<float>(values[k]), scale, sum + offset);
    return sum + factor * Value(k);
  }
};

template <typename How, RowValues kValues, RowUse kUse, typename Element>
[[gnu::always_inline]] inline void One(const LookedUpRow* rows, int64_t columns,
                                       float* sum) {
  const Step<How, kValues, kUse, Element> step(rows[0]);
#pragma omp simd
  for (int64_t k = 0; k < columns; ++k)
    sum[k] = step.After(kUse == RowUse::kStore ? 0.0f : sum[k], k);
}

template <typename How, RowValues kValues, RowUse kUse, typename Element>
[[gnu::always_inline]] inline void Group(const LookedUpRow* rows, int64_t columns,
                                         float* sum) {
  static_assert(kRowGroup == 4);
  const Step<How, kValues, kUse, Element> a(rows[0]), b(rows[1]), c(rows[2]), d(rows[3]);
#pragma omp simd
  for (int64_t k = 0; k < columns; ++k)
    sum[k] = d.After(c.After(b.After(a.After(sum[k], k), k), k), k);
}

#if defined(__x86_64__)
// Eight columns at once. From bytes to floats the compiler goes by way of 16 bits and
// needs three times the shuffles; this is one instruction, and the reason for intrinsics.
#define QCONFORM_AVX2 [[gnu::target("avx2,fma"), gnu::always_inline]]

QCONFORM_AVX2 inline __m256i EightIntegers(const uint8_t* codes) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes)));
}
QCONFORM_AVX2 inline __m256i EightIntegers(const int8_t* codes) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes)));
}

template <RowValues kValues, RowUse kUse, typename Element>
struct EightSteps {
  using Lane = Step<InOneInstruction, kValues, kUse, Element>;
  const Element* values;
  __m256 scale, offset, factor;
  __m256i zero_point;

  QCONFORM_AVX2 explicit EightSteps(const Lane& lane)
      : values(lane.values),
        scale(_mm256_set1_ps(lane.scale)),
        offset(_mm256_set1_ps(lane.offset)),
        factor(_mm256_set1_ps(lane.factor)),
        zero_point(_mm256_set1_epi32(lane.zero_point)) {}

  QCONFORM_AVX2 __m256 Value(int64_t k) const {
    if constexpr (kValues == RowValues::kReal) {
      return _mm256_loadu_ps(values + k);
    } else {
      const __m256i codes = EightIntegers(values + k);
      if constexpr (kValues == RowValues::kFromOffset)
        return _mm256_fmadd_ps(_mm256_cvtepi32_ps(codes), scale, offset);
      return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(codes, zero_point)),
                           scale);
    }
  }

  QCONFORM_AVX2 __m256 After(__m256 sum, int64_t k) const {
    if constexpr (kUse == RowUse::kStore) {
      return Value(k);
    } else if constexpr (kUse == RowUse::kKeepLargest) {
      return _mm256_max_ps(Value(k), sum);  // the sum where one of them is NaN
    } else if constexpr (kValues == RowValues::kFromOffset) {
      return _mm256_fmadd_ps(_mm256_cvtepi32_ps(EightIntegers(values + k)), scale,
                             _mm256_add_ps(sum, offset));
    } else {
      return _mm256_add_ps(sum, _mm256_mul_ps(factor, Value(k)));
    }
  }
};

using WithoutInstruction = InDouble;
#else
using WithoutInstruction = InOneInstruction;
#endif

template <RowValues kValues, RowUse kUse, typename Element>
struct OnEveryPath {
  static void OnePlain(const LookedUpRow* rows, int64_t columns, float* sum) {
    One<WithoutInstruction, kValues, kUse, Element>(rows, columns, sum);
  }
  static void GroupPlain(const LookedUpRow* rows, int64_t columns, float* sum) {
    Group<WithoutInstruction, kValues, kUse, Element>(rows, columns, sum);
  }
#if defined(__x86_64__)
  using Lane = Step<InOneInstruction, kValues, kUse, Element>;
  using Eight = EightSteps<kValues, kUse, Element>;

  [[gnu::target("avx2,fma")]] static void OneFused(const LookedUpRow* rows,
                                                   int64_t columns, float* sum) {
    const Lane lane(rows[0]);
    const Eight eight(lane);
    int64_t k = 0;
    for (; k + 8 <= columns; k += 8)
      _mm256_storeu_ps(sum + k, eight.After(_mm256_loadu_ps(sum + k), k));
    for (; k < columns; ++k) sum[k] = lane.After(sum[k], k);
  }

  [[gnu::target("avx2,fma")]] static void GroupFused(const LookedUpRow* rows,
                                                     int64_t columns, float* sum) {
    const Lane a(rows[0]), b(rows[1]), c(rows[2]), d(rows[3]);
    const Eight eight_a(a), eight_b(b), eight_c(c), eight_d(d);
    int64_t k = 0;
    for (; k + 8 <= columns; k += 8) {
      const __m256 first = eight_b.After(eight_a.After(_mm256_loadu_ps(sum + k), k), k);
      _mm256_storeu_ps(sum + k, eight_d.After(eight_c.After(first, k), k));
    }
    for (; k < columns; ++k)
      sum[k] = d.After(c.After(b.After(a.After(sum[k], k), k), k), k);
  }
#endif

  static RowKernels Of(Path path) {
#if defined(__x86_64__)
    if (path != Path::kSse41) return {OneFused, GroupFused};
#endif
    static_cast<void>(path);
    return {OnePlain, GroupPlain};
  }
};

template <RowUse kUse>
RowKernels OfUse(Path path, RowValues values, bool is_signed) {
  switch (values) {
    case RowValues::kFromOffset:
      return is_signed ? OnEveryPath<RowValues::kFromOffset, kUse, int8_t>::Of(path)
                       : OnEveryPath<RowValues::kFromOffset, kUse, uint8_t>::Of(path);
    case RowValues::kFromZeroPoint:
      return is_signed ? OnEveryPath<RowValues::kFromZeroPoint, kUse, int8_t>::Of(path)
                       : OnEveryPath<RowValues::kFromZeroPoint, kUse, uint8_t>::Of(path);
    default:
      return OnEveryPath<RowValues::kReal, kUse, float>::Of(path);
  }
}

}  // namespace

RowKernels ChooseRowKernels(Path path, RowValues values, bool is_signed, RowUse use) {
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
