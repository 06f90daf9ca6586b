#include "kernels/target/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <cstdint>
#include <cstring>

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

#else

CpuFeatures Detect() { return {}; }

#endif

}  // namespace

const CpuFeatures& DetectedCpuFeatures() {
  static const CpuFeatures features = Detect();
  return features;
}

std::vector<std::string> CpuFeatureNames(const CpuFeatures& f) {
  std::vector<std::string> names;
  const auto add = [&](bool set, const char* name) {
    if (set) names.push_back(name);
  };
  add(f.ssse3, "ssse3");
  add(f.sse41, "sse4.1");
  add(f.sse42, "sse4.2");
  add(f.popcnt, "popcnt");
  add(f.movbe, "movbe");
  add(f.avx, "avx");
  add(f.avx2, "avx2");
  add(f.fma, "fma");
  add(f.f16c, "f16c");
  add(f.bmi, "bmi");
  add(f.bmi2, "bmi2");
  add(f.lzcnt, "lzcnt");
  add(f.gfni, "gfni");
  add(f.avx512f, "avx512f");
  add(f.avx512cd, "avx512cd");
  add(f.avx512vl, "avx512vl");
  add(f.avx512dq, "avx512dq");
  add(f.avx512bw, "avx512bw");
  add(f.avx512ifma, "avx512ifma");
  add(f.avx512vbmi, "avx512vbmi");
  add(f.avx512vbmi2, "avx512vbmi2");
  add(f.avx512vnni, "avx512vnni");
  add(f.avx512bitalg, "avx512bitalg");
  add(f.avx512vpopcntdq, "avx512vpopcntdq");
  add(f.avx512bf16, "avx512bf16");
  return names;
}

std::string CpuModelName() {
  std::string name;
#if defined(__x86_64__)
  if (CpuId(0x80000000u, 0).a >= 0x80000004u) {
    char text[49] = {};
    for (uint32_t i = 0; i < 3; ++i) {
      const Registers r = CpuId(0x80000002u + i, 0);
      std::memcpy(text + 16 * i, &r, 16);
    }
    name = text;
  }
#endif
  const size_t first = name.find_first_not_of(' ');
  if (first == std::string::npos) return "unknown";
  return name.substr(first, name.find_last_not_of(' ') - first + 1);
}

}  // namespace qconform::kernels
