#include "kernels/target/path.h"

#include <gtest/gtest.h>

namespace qconform::kernels {
namespace {

CpuFeatures Haswell() {
  CpuFeatures f;
  f.ssse3 = f.sse41 = f.sse42 = f.popcnt = f.movbe = true;
  f.avx = f.avx2 = f.fma = f.f16c = f.bmi = f.bmi2 = f.lzcnt = true;
  return f;
}

CpuFeatures Skylake() {
  CpuFeatures f = Haswell();
  f.avx512f = f.avx512cd = f.avx512vl = f.avx512dq = f.avx512bw = true;
  return f;
}

CpuFeatures Zen4() {
  CpuFeatures f = Skylake();
  f.gfni = f.avx512ifma = f.avx512vbmi = f.avx512vbmi2 = f.avx512vnni = true;
  f.avx512bitalg = f.avx512vpopcntdq = f.avx512bf16 = true;
  return f;
}

CpuFeatures NeoverseN1() {
  CpuFeatures f;
  f.asimd = f.asimddp = true;
  return f;
}

TEST(Path, FastestThatTheFeaturesCover) {
  EXPECT_EQ(ChoosePath(nullptr, Haswell()).path, Path::kAvx2);
  EXPECT_EQ(ChoosePath("", Skylake()).path, Path::kAvx512);
  EXPECT_EQ(ChoosePath(nullptr, Zen4()).path, Path::kAvx512Vnni);
  EXPECT_EQ(ChoosePath(nullptr, NeoverseN1()).path, Path::kDotProd);
  CpuFeatures cortex_a53 = NeoverseN1();
  cortex_a53.asimddp = false;
  EXPECT_EQ(ChoosePath(nullptr, cortex_a53).path, Path::kNeon);
}

TEST(Path, VnniAloneIsNotEnough) {
  CpuFeatures cascade_lake = Skylake();
  cascade_lake.avx512vnni = true;
  EXPECT_EQ(ChoosePath(nullptr, cascade_lake).path, Path::kAvx512);
  CpuFeatures no_bmi2 = Zen4();
  no_bmi2.bmi2 = false;
  EXPECT_EQ(ChoosePath(nullptr, no_bmi2).path, Path::kSse41);
}

TEST(Path, NoneWithoutVectors) {
  const PathChoice choice = ChoosePath(nullptr, CpuFeatures{});
  EXPECT_FALSE(choice.path);
  EXPECT_EQ(choice.reason, "this processor has neither SSE4.1 nor Advanced SIMD");
}

TEST(Path, ForcedPathIsTakenOrRefused) {
  EXPECT_EQ(ChoosePath("sse41", Zen4()).path, Path::kSse41);
  const PathChoice missing = ChoosePath("avx512", Haswell());
  EXPECT_FALSE(missing.path);
  EXPECT_EQ(missing.reason,
            "QCONFORM_ISA=avx512 cannot run on this machine, which has sse41, avx2");
  EXPECT_EQ(ChoosePath("dotprod", Haswell()).reason,
            "QCONFORM_ISA=dotprod cannot run on this machine, which has sse41, avx2");
  const PathChoice unknown = ChoosePath("mmx", Haswell());
  EXPECT_FALSE(unknown.path);
  EXPECT_EQ(
      unknown.reason,
      "QCONFORM_ISA=mmx is no path, expected sse41, avx2, avx512, avx512vnni, neon or "
      "dotprod");
}

TEST(Path, NamesRoundTrip) {
  for (Path path : {Path::kSse41, Path::kAvx2, Path::kAvx512, Path::kAvx512Vnni,
                    Path::kNeon, Path::kDotProd}) {
    EXPECT_EQ(PathNamed(PathName(path)), path);
  }
  EXPECT_FALSE(PathNamed("avx"));
}

}  // namespace
}  // namespace qconform::kernels
