#include "kernels/target/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#include <cstdint>

namespace qconform::kernels {
namespace {

#if defined(__x86_64__)

struct Registers {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

Registers CpuId(uint32_t leaf, uint32_t part) {
  Registers r;
  if (!__get_cpuid_count(leaf, part, &r.a, &r.b, &r.c, &r.d)) return {};
  return r;
}

bool Bit(uint32_t word, int bit) { return (word >> bit) & 1u; }

// XCR0: which register files the operating system saves at a context switch.
uint64_t SavedRegisters() {
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

CpuFeatures Detect() {
  CpuFeatures f;
  const Registers one = CpuId(1, 0);
  f.ssse3 = Bit(one.c, 9);
  f.sse41 = Bit(one.c, 19);
  f.sse42 = Bit(one.c, 20);
  f.popcnt = Bit(one.c, 23);
  f.movbe = Bit(one.c, 22);
  f.lzcnt = Bit(CpuId(0x80000001u, 0).c, 5);
  const Registers seven = CpuId(7, 0);
  f.bmi = Bit(seven.b, 3);
  f.bmi2 = Bit(seven.b, 8);
  f.gfni = Bit(seven.c, 8);

  const bool os_saves = Bit(one.c, 27);
  const uint64_t saved = os_saves ? SavedRegisters() : 0;
  constexpr uint64_t kYmm = 0x6;
  constexpr uint64_t kZmm = 0xE6;
  if ((saved & kYmm) == kYmm) {
    f.avx = Bit(one.c, 28);
    f.fma = Bit(one.c, 12);
    f.f16c = Bit(one.c, 29);
    f.avx2 = Bit(seven.b, 5);
  }
  if ((saved & kZmm) == kZmm) {
    f.avx512f = Bit(seven.b, 16);
    f.avx512dq = Bit(seven.b, 17);
    f.avx512ifma = Bit(seven.b, 21);
    f.avx512cd = Bit(seven.b, 28);
    f.avx512bw = Bit(seven.b, 30);
    f.avx512vl = Bit(seven.b, 31);
    f.avx512vbmi = Bit(seven.c, 1);
    f.avx512vbmi2 = Bit(seven.c, 6);
    f.avx512vnni = Bit(seven.c, 11);
    f.avx512bitalg = Bit(seven.c, 12);
    f.avx512vpopcntdq = Bit(seven.c, 14);
    f.avx512bf16 = Bit(CpuId(7, 1).a, 5);
  }
  return f;
}

#elif defined(__aarch64__)

CpuFeatures Detect() {
  CpuFeatures f;
  const unsigned long capabilities = getauxval(AT_HWCAP);
  f.asimd = (capabilities & HWCAP_ASIMD) != 0;
  f.asimddp = (capabilities & HWCAP_ASIMDDP) != 0;
  return f;
}

#else

CpuFeatures Detect() { return {}; }

#endif

}  // namespace

const CpuFeatures& DetectedCpuFeatures() {
  static const CpuFeatures features = Detect();
  return features;
}

}  // namespace qconform::kernels
