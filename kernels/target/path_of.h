// Which path a generator compiles for.
#ifndef QCONFORM_KERNELS_TARGET_PATH_OF_H_
#define QCONFORM_KERNELS_TARGET_PATH_OF_H_

#include <Halide.h>

#include "kernels/target/path.h"

namespace qconform::kernels {

inline Path PathOf(const Halide::Target& target) {
  if (target.arch == Halide::Target::ARM) {
    return target.has_feature(Halide::Target::ARMDotProd) ? Path::kDotProd : Path::kNeon;
  }
  if (target.has_feature(Halide::Target::AVX512_Zen4)) return Path::kAvx512Vnni;
  if (target.has_feature(Halide::Target::AVX512_Skylake)) return Path::kAvx512;
  if (target.has_feature(Halide::Target::AVX2)) return Path::kAvx2;
  return Path::kSse41;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TARGET_PATH_OF_H_
