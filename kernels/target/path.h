// The code paths of the kernels and the choice between them at run time.
#ifndef QCONFORM_KERNELS_TARGET_PATH_H_
#define QCONFORM_KERNELS_TARGET_PATH_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/target/cpu_features.h"

namespace qconform::kernels {

// Of each architecture the slowest first. Each is one set of objects, compiled by Halide
// for one target:
//   sse41       x86-64-sse41          LLVM compiles for Penryn
//   avx2        ...-avx2              for Haswell: also fma, f16c, bmi, lzcnt, movbe
//   avx512      ...-avx512_skylake    for Skylake servers
//   avx512vnni  ...-avx512_zen4       the narrowest target with vpdpbusd. Of Zen 4's
//                                     own features we ask for all that LLVM may use.
//   neon        arm-64                Armv8.0
//   dotprod     arm-64-arm_dot_prod   Armv8.2 with sdot
// Halide's own dispatch does not know avx512vnni and would die with SIGILL.
enum class Path { kSse41, kAvx2, kAvx512, kAvx512Vnni, kNeon, kDotProd };

inline constexpr int kPathCount = 6;

constexpr bool IsArm(Path path) { return path >= Path::kNeon; }

const char* PathName(Path path);
std::optional<Path> PathNamed(std::string_view name);

// Whether `features` cover every instruction of the path's objects.
bool CanRun(Path path, const CpuFeatures& features);

// The paths that this machine runs, slowest first.
std::vector<Path> RunnablePaths();

struct PathChoice {
  std::optional<Path> path;
  std::string reason;  // one line, when there is no path
};

// The fastest runnable path, or the one that `forced` names: the value of the
// environment variable QCONFORM_ISA, nullptr or empty where it is not set. A name
// that is unknown or that this machine cannot run gives no path, never a fallback.
PathChoice ChoosePath(const char* forced, const CpuFeatures& features);

// The same for this process: reads QCONFORM_ISA at each call.
PathChoice ChoosePath();

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TARGET_PATH_H_
