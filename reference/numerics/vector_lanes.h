// Loops over float32 values that the compiler turns into vector instructions, once for
// every x86-64 and once for AVX2. Lanes are combined in a fixed order and no operation
// is fused, so both give the same bits.
#ifndef QCONFORM_REFERENCE_NUMERICS_VECTOR_LANES_H_
#define QCONFORM_REFERENCE_NUMERICS_VECTOR_LANES_H_

#include <cstdint>
#include <cstring>

namespace qconform {

// Eight lanes: one AVX2 register or two older ones.
inline constexpr int64_t kLanes = 8;
using FloatLanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using IntegerLanes = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

#define QCONFORM_INLINE inline __attribute__((always_inline))

QCONFORM_INLINE FloatLanes LoadLanes(const float* from) {
  FloatLanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

QCONFORM_INLINE void StoreLanes(float* to, FloatLanes lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}

// a where it is the smaller (larger), else b: also where one of them is NaN.
QCONFORM_INLINE FloatLanes Smaller(FloatLanes a, FloatLanes b) { return a < b ? a : b; }
QCONFORM_INLINE FloatLanes Larger(FloatLanes a, FloatLanes b) { return a > b ? a : b; }

// QCONFORM_TWO_PATHS(Name, Body, (parameters), (arguments)) defines a function Name that
// runs Body, an inline function, on the path of this machine.
#if defined(__x86_64__)
#define QCONFORM_TWO_PATHS(name, body, parameters, arguments)                    \
  __attribute__((target("avx2"))) void name##Avx2 parameters { body arguments; } \
  void name##Plain parameters { body arguments; }                                \
  void name parameters {                                                         \
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;            \
    has_avx2 ? name##Avx2 arguments : name##Plain arguments;                     \
  }
#else
#define QCONFORM_TWO_PATHS(name, body, parameters, arguments) \
  void name parameters { body arguments; }
#endif

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_VECTOR_LANES_H_
