// A vector of codes becomes four vectors of floats, and four vectors of floats become
// codes, with the instructions that the compiler does not find by itself: each path's
// struct may be used in functions of the same attribute `target` only.
#ifndef QCONFORM_KERNELS_REQUANTIZE_CODE_LANES_H_
#define QCONFORM_KERNELS_REQUANTIZE_CODE_LANES_H_

#include <cstdint>

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

namespace qconform::kernels {

#ifdef __x86_64__

// Interleaved with zeros and then with 0x4B00, the upper half of 2^23, bytes are floats
// already: each is kOffset higher. Interleaving and packing both stay inside of 128 bits,
// so that codes come out in the order in which they went in.
//
// Narrow rounds to nearest even and adds zero_point; whatever lies beyond bytes
// saturates, if it is within 32 bits.
struct Sse41Codes {
  static constexpr int64_t kCount = 16;
  static constexpr float kOffset = 8388608.0f;
  using Bytes = __m128i;
  using Floats = __m128;

  [[gnu::target("sse4.1"), gnu::always_inline]] static inline Bytes Load(
      const uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  [[gnu::target("sse4.1"), gnu::always_inline]] static inline void Store(Bytes codes,
                                                                         uint8_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), codes);
  }
  [[gnu::target("sse4.1"), gnu::always_inline]] static inline Bytes Flip(Bytes codes,
                                                                         uint8_t flip) {
    return _mm_xor_si128(codes, _mm_set1_epi8(static_cast<char>(flip)));
  }
  [[gnu::target("sse4.1"), gnu::always_inline]] static inline Bytes Clamp(Bytes codes,
                                                                          uint8_t low,
                                                                          uint8_t high) {
    return _mm_min_epu8(_mm_max_epu8(codes, _mm_set1_epi8(static_cast<char>(low))),
                        _mm_set1_epi8(static_cast<char>(high)));
  }
  [[gnu::target("sse4.1"), gnu::always_inline]] static inline void Widen(
      Bytes codes, Floats (&floats)[4]) {
    const __m128i zero = _mm_setzero_si128(), upper = _mm_set1_epi16(0x4B00);
    const __m128i low = _mm_unpacklo_epi8(codes, zero);
    const __m128i high = _mm_unpackhi_epi8(codes, zero);
    floats[0] = _mm_castsi128_ps(_mm_unpacklo_epi16(low, upper));
    floats[1] = _mm_castsi128_ps(_mm_unpackhi_epi16(low, upper));
    floats[2] = _mm_castsi128_ps(_mm_unpacklo_epi16(high, upper));
    floats[3] = _mm_castsi128_ps(_mm_unpackhi_epi16(high, upper));
  }
  [[gnu::target("sse4.1"), gnu::always_inline]] static inline Bytes Narrow(
      const Floats (&floats)[4], int16_t zero_point) {
    const __m128i zero = _mm_set1_epi16(zero_point);
    const __m128i low =
        _mm_packs_epi32(_mm_cvtps_epi32(floats[0]), _mm_cvtps_epi32(floats[1]));
    const __m128i high =
        _mm_packs_epi32(_mm_cvtps_epi32(floats[2]), _mm_cvtps_epi32(floats[3]));
    return _mm_packus_epi16(_mm_adds_epi16(low, zero), _mm_adds_epi16(high, zero));
  }
};

struct Avx2Codes {
  static constexpr int64_t kCount = 32;
  static constexpr float kOffset = 8388608.0f;
  using Bytes = __m256i;
  using Floats = __m256;

  [[gnu::target("avx2"), gnu::always_inline]] static inline Bytes Load(
      const uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  [[gnu::target("avx2"), gnu::always_inline]] static inline void Store(Bytes codes,
                                                                       uint8_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), codes);
  }
  [[gnu::target("avx2"), gnu::always_inline]] static inline Bytes Flip(Bytes codes,
                                                                       uint8_t flip) {
    return _mm256_xor_si256(codes, _mm256_set1_epi8(static_cast<char>(flip)));
  }
  [[gnu::target("avx2"), gnu::always_inline]] static inline Bytes Clamp(Bytes codes,
                                                                        uint8_t low,
                                                                        uint8_t high) {
    return _mm256_min_epu8(
        _mm256_max_epu8(codes, _mm256_set1_epi8(static_cast<char>(low))),
        _mm256_set1_epi8(static_cast<char>(high)));
  }
  [[gnu::target("avx2"), gnu::always_inline]] static inline void Widen(
      Bytes codes, Floats (&floats)[4]) {
    const __m256i zero = _mm256_setzero_si256(), upper = _mm256_set1_epi16(0x4B00);
    const __m256i low = _mm256_unpacklo_epi8(codes, zero);
    const __m256i high = _mm256_unpackhi_epi8(codes, zero);
    floats[0] = _mm256_castsi256_ps(_mm256_unpacklo_epi16(low, upper));
    floats[1] = _mm256_castsi256_ps(_mm256_unpackhi_epi16(low, upper));
    floats[2] = _mm256_castsi256_ps(_mm256_unpacklo_epi16(high, upper));
    floats[3] = _mm256_castsi256_ps(_mm256_unpackhi_epi16(high, upper));
  }
  [[gnu::target("avx2"), gnu::always_inline]] static inline Bytes Narrow(
      const Floats (&floats)[4], int16_t zero_point) {
    const __m256i zero = _mm256_set1_epi16(zero_point);
    const __m256i low =
        _mm256_packs_epi32(_mm256_cvtps_epi32(floats[0]), _mm256_cvtps_epi32(floats[1]));
    const __m256i high =
        _mm256_packs_epi32(_mm256_cvtps_epi32(floats[2]), _mm256_cvtps_epi32(floats[3]));
    return _mm256_packus_epi16(_mm256_adds_epi16(low, zero),
                               _mm256_adds_epi16(high, zero));
  }
};

#define QCONFORM_AVX512 gnu::target("avx512f,avx512bw,avx512vl"), gnu::always_inline
struct Avx512Codes {
  static constexpr int64_t kCount = 64;
  static constexpr float kOffset = 8388608.0f;
  using Bytes = __m512i;
  using Floats = __m512;

  [[QCONFORM_AVX512]] static inline Bytes Load(const uint8_t* from) {
    return _mm512_loadu_si512(from);
  }
  [[QCONFORM_AVX512]] static inline void Store(Bytes codes, uint8_t* to) {
    _mm512_storeu_si512(to, codes);
  }
  [[QCONFORM_AVX512]] static inline Bytes Flip(Bytes codes, uint8_t flip) {
    return _mm512_xor_si512(codes, _mm512_set1_epi8(static_cast<char>(flip)));
  }
  [[QCONFORM_AVX512]] static inline Bytes Clamp(Bytes codes, uint8_t low, uint8_t high) {
    return _mm512_min_epu8(
        _mm512_max_epu8(codes, _mm512_set1_epi8(static_cast<char>(low))),
        _mm512_set1_epi8(static_cast<char>(high)));
  }
  [[QCONFORM_AVX512]] static inline void Widen(Bytes codes, Floats (&floats)[4]) {
    const __m512i zero = _mm512_setzero_si512(), upper = _mm512_set1_epi16(0x4B00);
    const __m512i low = _mm512_unpacklo_epi8(codes, zero);
    const __m512i high = _mm512_unpackhi_epi8(codes, zero);
    floats[0] = _mm512_castsi512_ps(_mm512_unpacklo_epi16(low, upper));
    floats[1] = _mm512_castsi512_ps(_mm512_unpackhi_epi16(low, upper));
    floats[2] = _mm512_castsi512_ps(_mm512_unpacklo_epi16(high, upper));
    floats[3] = _mm512_castsi512_ps(_mm512_unpackhi_epi16(high, upper));
  }
  [[QCONFORM_AVX512]] static inline Bytes Narrow(const Floats (&floats)[4],
                                                 int16_t zero_point) {
    const __m512i zero = _mm512_set1_epi16(zero_point);
    const __m512i low = _mm512_packs_epi32(Round(floats[0]), Round(floats[1]));
    const __m512i high = _mm512_packs_epi32(Round(floats[2]), Round(floats[3]));
    return _mm512_packus_epi16(_mm512_adds_epi16(low, zero),
                               _mm512_adds_epi16(high, zero));
  }

 private:
  // All lanes by a mask: GCC 12 warns of the undefined lanes of the one without.
  [[QCONFORM_AVX512]] static inline __m512i Round(Floats floats) {
    return _mm512_maskz_cvtps_epi32(0xFFFF, floats);
  }
};
#undef QCONFORM_AVX512

#else

struct NeonCodes {
  static constexpr int64_t kCount = 16;
  static constexpr float kOffset = 0.0f;
  using Bytes = uint8x16_t;
  using Floats = float32x4_t;

  static inline Bytes Load(const uint8_t* from) { return vld1q_u8(from); }
  static inline void Store(Bytes codes, uint8_t* to) { vst1q_u8(to, codes); }
  static inline Bytes Flip(Bytes codes, uint8_t flip) {
    return veorq_u8(codes, vdupq_n_u8(flip));
  }
  static inline Bytes Clamp(Bytes codes, uint8_t low, uint8_t high) {
    return vminq_u8(vmaxq_u8(codes, vdupq_n_u8(low)), vdupq_n_u8(high));
  }
  static inline void Widen(Bytes codes, Floats (&floats)[4]) {
    const uint16x8_t low = vmovl_u8(vget_low_u8(codes));
    const uint16x8_t high = vmovl_u8(vget_high_u8(codes));
    floats[0] = vcvtq_f32_u32(vmovl_u16(vget_low_u16(low)));
    floats[1] = vcvtq_f32_u32(vmovl_u16(vget_high_u16(low)));
    floats[2] = vcvtq_f32_u32(vmovl_u16(vget_low_u16(high)));
    floats[3] = vcvtq_f32_u32(vmovl_u16(vget_high_u16(high)));
  }
  static inline Bytes Narrow(const Floats (&floats)[4], int16_t zero_point) {
    const int16x8_t zero = vdupq_n_s16(zero_point);
    const int16x8_t low = vcombine_s16(vqmovn_s32(vcvtnq_s32_f32(floats[0])),
                                       vqmovn_s32(vcvtnq_s32_f32(floats[1])));
    const int16x8_t high = vcombine_s16(vqmovn_s32(vcvtnq_s32_f32(floats[2])),
                                        vqmovn_s32(vcvtnq_s32_f32(floats[3])));
    return vcombine_u8(vqmovun_s16(vqaddq_s16(low, zero)),
                       vqmovun_s16(vqaddq_s16(high, zero)));
  }
};

#endif

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_CODE_LANES_H_
