// How tables are looked up on x86.
#ifndef QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_

#include <Halide.h>

namespace qconform::kernels {

// x86 has no gather of bytes, and sixteen shuffles of sixteen entries each take as long
// as the loads that they replace: two loads and a store a code, in runs of sixteen.
inline void ScheduleLookups(Halide::Func output, Halide::Var i) {
  Halide::Var outer, inner;
  output.split(i, outer, inner, 16, Halide::TailStrategy::GuardWithIf).unroll(inner);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_
