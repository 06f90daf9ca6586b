#include "bench/peak.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>

namespace qconform::bench {
namespace {

// The empty assembly hides the operand's value from the compiler, so that no product is
// computed only once; it adds no instruction. Ten chains hide the latency, and with
// operands and one product they fit 16 registers. Single variables, because the compiler
// spills an array.
constexpr int kChains = 10;
#define QCONFORM_TEN_STEPS \
  QCONFORM_STEP(s0);       \
  QCONFORM_STEP(s1);       \
  QCONFORM_STEP(s2);       \
  QCONFORM_STEP(s3);       \
  QCONFORM_STEP(s4);       \
  QCONFORM_STEP(s5);       \
  QCONFORM_STEP(s6);       \
  QCONFORM_STEP(s7);       \
  QCONFORM_STEP(s8);       \
  QCONFORM_STEP(s9);

__attribute__((target("sse4.1"))) void Sse41(int64_t rounds) {
  __m128i a = _mm_set1_epi16(3), b = _mm_set1_epi16(5), zero = _mm_setzero_si128();
  __m128i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero,
          s7 = zero, s8 = zero, s9 = zero;
  for (int64_t i = 0; i < rounds; ++i) {
#define QCONFORM_STEP(s)          \
  __asm__ volatile("" : "+x"(a)); \
  s = _mm_add_epi32(s, _mm_madd_epi16(a, b))
    QCONFORM_TEN_STEPS
#undef QCONFORM_STEP
  }
  __asm__ volatile("" ::"x"(s0), "x"(s1), "x"(s2), "x"(s3), "x"(s4));
  __asm__ volatile("" ::"x"(s5), "x"(s6), "x"(s7), "x"(s8), "x"(s9));
}

__attribute__((target("avx2"))) void Avx2(int64_t rounds) {
  __m256i a = _mm256_set1_epi16(3), b = _mm256_set1_epi16(5),
          zero = _mm256_setzero_si256();
  __m256i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero,
          s7 = zero, s8 = zero, s9 = zero;
  for (int64_t i = 0; i < rounds; ++i) {
#define QCONFORM_STEP(s)          \
  __asm__ volatile("" : "+x"(a)); \
  s = _mm256_add_epi32(s, _mm256_madd_epi16(a, b))
    QCONFORM_TEN_STEPS
#undef QCONFORM_STEP
  }
  __asm__ volatile("" ::"x"(s0), "x"(s1), "x"(s2), "x"(s3), "x"(s4));
  __asm__ volatile("" ::"x"(s5), "x"(s6), "x"(s7), "x"(s8), "x"(s9));
}

__attribute__((target("avx512f,avx512bw"))) void Avx512(int64_t rounds) {
  __m512i a = _mm512_set1_epi16(3), b = _mm512_set1_epi16(5),
          zero = _mm512_setzero_si512();
  __m512i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero,
          s7 = zero, s8 = zero, s9 = zero;
  for (int64_t i = 0; i < rounds; ++i) {
#define QCONFORM_STEP(s)          \
  __asm__ volatile("" : "+v"(a)); \
  s = _mm512_add_epi32(s, _mm512_madd_epi16(a, b))
    QCONFORM_TEN_STEPS
#undef QCONFORM_STEP
  }
  __asm__ volatile("" ::"v"(s0), "v"(s1), "v"(s2), "v"(s3), "v"(s4));
  __asm__ volatile("" ::"v"(s5), "v"(s6), "v"(s7), "v"(s8), "v"(s9));
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) void Avx512Vnni(int64_t rounds) {
  __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5), zero = _mm512_setzero_si512();
  __m512i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero,
          s7 = zero, s8 = zero, s9 = zero;
  for (int64_t i = 0; i < rounds; ++i) {
#define QCONFORM_STEP(s)          \
  __asm__ volatile("" : "+v"(a)); \
  s = _mm512_dpbusd_epi32(s, a, b)
    QCONFORM_TEN_STEPS
#undef QCONFORM_STEP
  }
  __asm__ volatile("" ::"v"(s0), "v"(s1), "v"(s2), "v"(s3), "v"(s4));
  __asm__ volatile("" ::"v"(s5), "v"(s6), "v"(s7), "v"(s8), "v"(s9));
}

struct Loop {
  const char* path;
  bool runnable;
  void (*run)(int64_t rounds);
  int macs;  // of one instruction
};

std::array<Loop, 4> Loops() {
  return {{{"sse41", __builtin_cpu_supports("sse4.1") != 0, Sse41, 8},
           {"avx2", __builtin_cpu_supports("avx2") != 0, Avx2, 16},
           {"avx512", __builtin_cpu_supports("avx512bw") != 0, Avx512, 32},
           {"avx512vnni", __builtin_cpu_supports("avx512vnni") != 0, Avx512Vnni, 64}}};
}

double Seconds(void (*loop)(int64_t), int threads, int64_t rounds) {
  const auto start = std::chrono::steady_clock::now();
  if (threads <= 1) {
    loop(rounds);
  } else {
#pragma omp parallel num_threads(threads)
    loop(rounds);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::vector<std::string> PeakPaths() {
  std::vector<std::string> paths;
  for (const Loop& loop : Loops()) {
    if (loop.runnable) paths.push_back(loop.path);
  }
  return paths;
}

PeakMeter::PeakMeter(const std::string& path, int threads)
    : threads_(std::max(1, threads)) {
  for (const Loop& loop : Loops()) {
    if (path == loop.path && loop.runnable) {
      loop_ = loop.run;
      macs_ = loop.macs;
    }
  }
  assert(loop_ != nullptr);
  // Where other work holds up the threads, a sample takes as long as a time slice.
  constexpr double kMostSeconds = 1.0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 2000; ++i) {
    Sample();
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - start).count() > kMostSeconds) break;
  }
}

void PeakMeter::Sample() {
  constexpr int64_t kRounds = 25'000;
  const double seconds = Seconds(loop_, threads_, kRounds);
  const double macs = static_cast<double>(kRounds) * kChains * macs_ * threads_;
  best_ = std::max(best_, macs / seconds * 1e-9);
}

}  // namespace qconform::bench
