// A few floats as one value, in the compiler's own vectors: it does not turn loops over
// bytes that become floats into these by itself.
#ifndef QCONFORM_KERNELS_REQUANTIZE_FLOAT_LANES_H_
#define QCONFORM_KERNELS_REQUANTIZE_FLOAT_LANES_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

using FourFloats = float __attribute__((vector_size(16)));
using FourIntegers = int32_t __attribute__((vector_size(16)));

// The first bytes of sixteen as integers, four or eight: interleaved with zeros twice.
struct FourLanes {
  static constexpr int kCount = 4;
  using Floats = FourFloats;
  using Integers = FourIntegers;

  [[gnu::always_inline]] static inline void Widen(const uint8_t (&bytes)[16],
                                                  Integers& lanes) {
    lanes = Half(Words(bytes), std::integral_constant<bool, false>());
  }

  // The lowest byte of each.
  [[gnu::always_inline]] static inline void Narrow(const Integers& lanes,
                                                   uint8_t* bytes) {
    const SomeBytes all = reinterpret_cast<SomeBytes>(lanes);
    const SomeBytes narrow = __builtin_shufflevector(all, all, 0, 4, 8, 12, 0, 4, 8, 12,
                                                     0, 4, 8, 12, 0, 4, 8, 12);
    std::memcpy(bytes, &narrow, kCount);
  }

 protected:
  using SomeBytes = uint8_t __attribute__((vector_size(16)));
  using SomeWords = uint16_t __attribute__((vector_size(16)));

  [[gnu::always_inline]] static inline SomeWords Words(const uint8_t (&bytes)[16]) {
    SomeBytes all;
    std::memcpy(&all, bytes, sizeof all);
    return reinterpret_cast<SomeWords>(__builtin_shufflevector(
        all, SomeBytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  }
  template <typename kHigh>
  [[gnu::always_inline]] static inline Integers Half(const SomeWords& words, kHigh) {
    if constexpr (kHigh::value) {
      return reinterpret_cast<Integers>(
          __builtin_shufflevector(words, SomeWords{}, 4, 12, 5, 13, 6, 14, 7, 15));
    } else {
      return reinterpret_cast<Integers>(
          __builtin_shufflevector(words, SomeWords{}, 0, 8, 1, 9, 2, 10, 3, 11));
    }
  }
};

struct EightLanes : FourLanes {
  static constexpr int kCount = 8;
  using Floats = float __attribute__((vector_size(32)));
  using Integers = int32_t __attribute__((vector_size(32)));

  [[gnu::always_inline]] static inline void Widen(const uint8_t (&bytes)[16],
                                                  Integers& lanes) {
    const SomeWords words = Words(bytes);
    const FourIntegers low = Half(words, std::integral_constant<bool, false>());
    const FourIntegers high = Half(words, std::integral_constant<bool, true>());
    lanes = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }

  [[gnu::always_inline]] static inline void Narrow(const Integers& lanes,
                                                   uint8_t* bytes) {
    FourLanes::Narrow(__builtin_shufflevector(lanes, lanes, 0, 1, 2, 3), bytes);
    FourLanes::Narrow(__builtin_shufflevector(lanes, lanes, 4, 5, 6, 7), bytes + 4);
  }
};

// Codes that lie `stride` bytes apart, as real values.
template <typename Lanes>
[[gnu::always_inline]] inline void ReadLanes(const uint8_t* from, int64_t stride,
                                             const RealInputParameters& p,
                                             typename Lanes::Floats& lanes) {
  uint8_t bytes[16] = {};
  if (stride == 1) {
    std::memcpy(bytes, from, Lanes::kCount);
  } else {
    for (int i = 0; i < Lanes::kCount; ++i) bytes[i] = from[i * stride];
  }
  typename Lanes::Integers codes;
  Lanes::Widen(bytes, codes);
  lanes = __builtin_convertvector((codes ^ int32_t{p.flip}) - p.zero_point,
                                  typename Lanes::Floats) *
          p.scale;
}

// clamp(rint(lanes * reciprocal) + zero_point) as bytes: see requantize/real_code.h.
template <typename Lanes>
[[gnu::always_inline]] inline void WriteLanes(const typename Lanes::Floats& lanes,
                                              const RealOutputParameters& p, uint8_t* to,
                                              int64_t stride) {
  using Floats = typename Lanes::Floats;
  using Integers = typename Lanes::Integers;
  constexpr float kMagic = 12582912.0f;
  const Floats scaled = lanes * p.reciprocal;
  const Floats raised = scaled > p.lower ? scaled : Floats{} + p.lower;
  const Floats clamped = raised < p.upper ? raised : Floats{} + p.upper;
  Integers codes =
      __builtin_convertvector((clamped + kMagic) - kMagic, Integers) + p.zero_point;
  codes = scaled == scaled ? codes : Integers{} + int32_t{p.of_nan};
  uint8_t bytes[Lanes::kCount];
  Lanes::Narrow(codes ^ int32_t{p.flip}, bytes);
  if (stride == 1) {
    std::memcpy(to, bytes, sizeof bytes);
  } else {
    for (int i = 0; i < Lanes::kCount; ++i) to[i * stride] = bytes[i];
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_FLOAT_LANES_H_
