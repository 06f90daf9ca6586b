// The definition computes sigmoid and tanh by the C library in double and rounds them to
// float32 once. Here a polynomial computes them in vectors, so close to the true value
// that it and the library's result lie within a part in 2^45 of each other: where both
// ends of that interval round to the same float32, so does the library's result. The few
// others, and arguments that are large or NaN, are computed by the definition itself.
#include "kernels/recurrent/gate_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace qconform::kernels {
namespace {

// The polynomial and the divisions are within 2^-49, the library within 2^-50.
constexpr double kMargin = 0x1p-45;
constexpr float kLargest = 40.0f;

// exp(t) - 1 for |t| <= 80: t = n ln 2 + r with |r| <= ln 2 / 2, then
// 2^n (exp(r) - 1) + (2^n - 1), which loses nothing to cancellation where t is small.
[[gnu::always_inline]] inline double ExponentialLessOne(double t) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0x1.62e42fefa0000p-1;  // 12 zeros at its end: n times it is
  constexpr double kLn2Low = 0x1.cf79abc9e3b39p-40;  // exact
  constexpr double kMagic = 0x1.8p52;
  const double rounded = t * kLog2E + kMagic;
  const double n = rounded - kMagic;
  const double r = (t - n * kLn2High) - n * kLn2Low;
  // Taylor's, the first term left out is below 2^-52 of r.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r * r + r;
  // n stands in the last bits of `rounded`, where an exponent's place is reached by a
  // shift.
  const auto bits = std::bit_cast<int64_t>(rounded) << 52;
  const double power = std::bit_cast<double>(bits + std::bit_cast<int64_t>(1.0));
  return power * p + (power - 1.0);
}

struct Sigmoid {
  static float Exact(float x) { return GateSigmoid(x); }
  [[gnu::always_inline]] static double Near(double x) {
    return 1.0 / (2.0 + ExponentialLessOne(-x));
  }
};

struct Tanh {
  static float Exact(float x) { return GateTanh(x); }
  [[gnu::always_inline]] static double Near(double x) {
    const double e = ExponentialLessOne(-2.0 * std::fabs(x));
    return std::copysign(-e / (2.0 + e), x);
  }
};

template <typename Function>
[[gnu::always_inline]] inline void Apply(int64_t count, float* x) {
  float low[kGateBlock], high[kGateBlock];
  int32_t open = 0;
#pragma omp simd reduction(+ : open)
  for (int64_t i = 0; i < count; ++i) {
    const float magnitude = std::fabs(x[i]);
    const bool inside = magnitude <= kLargest;  // false for NaN
    const double value = Function::Near(inside ? static_cast<double>(x[i]) : 1.0);
    low[i] = static_cast<float>(value * (1.0 - kMargin));
    high[i] = inside ? static_cast<float>(value * (1.0 + kMargin)) : low[i] + 1.0f;
    open += low[i] != high[i] ? 1 : 0;
  }
  for (int64_t i = 0; i < count; ++i)
    x[i] = open == 0 || low[i] == high[i] ? low[i] : Function::Exact(x[i]);
}

#if defined(__x86_64__)
template <typename Function>
[[gnu::target("avx2")]] void ApplyAvx2(int64_t count, float* x) {
  Apply<Function>(count, x);
}
#endif

template <typename Function>
void ApplyOn(Path path, int64_t count, float* x) {
#if defined(__x86_64__)
  if (path != Path::kSse41) return ApplyAvx2<Function>(count, x);
#endif
  static_cast<void>(path);
  Apply<Function>(count, x);
}

using Gate = float[kGateBlock];

// gate = a + r
void Add(int64_t count, const float* a, const float* r, float* gate) {
  for (int64_t i = 0; i < count; ++i) gate[i] = a[i] + r[i];
}

// Units [first, first + count) of gates i, f, g, o.
void FinishLstm(Path path, int64_t hidden, int64_t first, int64_t count, const float* a,
                const float* r, float* h, float* c) {
  Gate input, forget, candidate, output;
  Gate* const gates[] = {&input, &forget, &candidate, &output};
  for (int64_t gate = 0; gate < 4; ++gate) {
    const int64_t at = gate * hidden + first;
    Add(count, a + at, r + at, *gates[gate]);
    gate == 2 ? Tanhs(path, count, *gates[gate]) : Sigmoids(path, count, *gates[gate]);
  }
  for (int64_t i = 0; i < count; ++i) {
    c[first + i] = forget[i] * c[first + i] + input[i] * candidate[i];
    candidate[i] = c[first + i];
  }
  Tanhs(path, count, candidate);
  for (int64_t i = 0; i < count; ++i) h[first + i] = output[i] * candidate[i];
}

// Gates r, z, n; the reset gate scales the hidden part of n.
void FinishGru(Path path, int64_t hidden, int64_t first, int64_t count, const float* a,
               const float* r, float* h) {
  Gate reset, update, candidate;
  Add(count, a + first, r + first, reset);
  Sigmoids(path, count, reset);
  Add(count, a + hidden + first, r + hidden + first, update);
  Sigmoids(path, count, update);
  const int64_t last = 2 * hidden + first;
  for (int64_t i = 0; i < count; ++i) candidate[i] = a[last + i] + reset[i] * r[last + i];
  Tanhs(path, count, candidate);
  for (int64_t i = 0; i < count; ++i)
    h[first + i] = (h[first + i] - candidate[i]) * update[i] + candidate[i];
}

}  // namespace

void Sigmoids(Path path, int64_t count, float* x) { ApplyOn<Sigmoid>(path, count, x); }

void Tanhs(Path path, int64_t count, float* x) { ApplyOn<Tanh>(path, count, x); }

void FinishUnits(Path path, CellKind kind, int64_t hidden, const float* from_input,
                 const float* from_hidden, float* h, float* c) {
  for (int64_t first = 0; first < hidden; first += kGateBlock) {
    const int64_t count = std::min(kGateBlock, hidden - first);
    if (kind == CellKind::kLstm) {
      FinishLstm(path, hidden, first, count, from_input, from_hidden, h, c);
    } else {
      FinishGru(path, hidden, first, count, from_input, from_hidden, h);
    }
  }
}

}  // namespace qconform::kernels
