#include "kernels/target/path.h"

#include <array>
#include <cstdlib>

namespace qconform::kernels {
namespace {

constexpr std::array<Path, kPathCount> kPaths = {Path::kSse41,  Path::kAvx2,
                                                 Path::kAvx512, Path::kAvx512Vnni,
                                                 Path::kNeon,   Path::kDotProd};

std::string RunnableNames(const CpuFeatures& features) {
  std::string names;
  for (Path path : kPaths) {
    if (!CanRun(path, features)) continue;
    if (!names.empty()) names += ", ";
    names += PathName(path);
  }
  return names.empty() ? "none" : names;
}

}  // namespace

const char* PathName(Path path) {
  switch (path) {
    case Path::kSse41:
      return "sse41";
    case Path::kAvx2:
      return "avx2";
    case Path::kAvx512:
      return "avx512";
    case Path::kAvx512Vnni:
      return "avx512vnni";
    case Path::kNeon:
      return "neon";
    case Path::kDotProd:
      return "dotprod";
  }
  return "";
}

std::optional<Path> PathNamed(std::string_view name) {
  for (Path path : kPaths) {
    if (name == PathName(path)) return path;
  }
  return std::nullopt;
}

bool CanRun(Path path, const CpuFeatures& f) {
  switch (path) {
    case Path::kSse41:
      return f.ssse3 && f.sse41;
    case Path::kAvx2:
      return CanRun(Path::kSse41, f) && f.sse42 && f.popcnt && f.movbe && f.avx &&
             f.avx2 && f.fma && f.f16c && f.bmi && f.bmi2 && f.lzcnt;
    case Path::kAvx512:
      return CanRun(Path::kAvx2, f) && f.avx512f && f.avx512cd && f.avx512vl &&
             f.avx512dq && f.avx512bw;
    case Path::kAvx512Vnni:
      return CanRun(Path::kAvx512, f) && f.gfni && f.avx512ifma && f.avx512vbmi &&
             f.avx512vbmi2 && f.avx512vnni && f.avx512bitalg && f.avx512vpopcntdq &&
             f.avx512bf16;
    case Path::kNeon:
      return f.asimd;
    case Path::kDotProd:
      return CanRun(Path::kNeon, f) && f.asimddp;
  }
  return false;
}

std::vector<Path> RunnablePaths() {
  std::vector<Path> paths;
  for (Path path : kPaths) {
    if (CanRun(path, DetectedCpuFeatures())) paths.push_back(path);
  }
  return paths;
}

PathChoice ChoosePath(const char* forced, const CpuFeatures& features) {
  if (forced != nullptr && *forced != '\0') {
    const std::optional<Path> path = PathNamed(forced);
    if (!path) {
      return {
          std::nullopt,
          "QCONFORM_ISA=" + std::string(forced).substr(0, 40) +
              " is no path, expected sse41, avx2, avx512, avx512vnni, neon or dotprod"};
    }
    if (!CanRun(*path, features)) {
      return {std::nullopt, "QCONFORM_ISA=" + std::string(forced) +
                                " cannot run on this machine, which has " +
                                RunnableNames(features)};
    }
    return {path, ""};
  }
  PathChoice choice{std::nullopt, "this processor has neither SSE4.1 nor Advanced SIMD"};
  for (Path path : kPaths) {
    if (CanRun(path, features)) choice = {path, ""};
  }
  return choice;
}

PathChoice ChoosePath() {
  return ChoosePath(std::getenv("QCONFORM_ISA"), DetectedCpuFeatures());
}

}  // namespace qconform::kernels
