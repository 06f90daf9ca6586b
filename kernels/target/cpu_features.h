// What this processor and its operating system offer, asked once: by cpuid on x86, by
// the auxiliary vector on Arm.
#ifndef QCONFORM_KERNELS_TARGET_CPU_FEATURES_H_
#define QCONFORM_KERNELS_TARGET_CPU_FEATURES_H_

namespace qconform::kernels {

// A flag is set only if the operating system saves the registers that it needs.
struct CpuFeatures {
  bool ssse3 = false, sse41 = false, sse42 = false, popcnt = false, movbe = false;
  bool avx = false, avx2 = false, fma = false, f16c = false;
  bool bmi = false, bmi2 = false, lzcnt = false, gfni = false;
  bool avx512f = false, avx512cd = false, avx512vl = false, avx512dq = false,
       avx512bw = false;
  bool avx512ifma = false, avx512vbmi = false, avx512vbmi2 = false, avx512vnni = false,
       avx512bitalg = false, avx512vpopcntdq = false, avx512bf16 = false;
  bool asimd = false, asimddp = false;  // as Linux names them on aarch64
};

const CpuFeatures& DetectedCpuFeatures();

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TARGET_CPU_FEATURES_H_
