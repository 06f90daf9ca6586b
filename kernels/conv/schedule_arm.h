// What the tiles need on Arm beside schedule_x86.h.
#ifndef QCONFORM_KERNELS_CONV_SCHEDULE_ARM_H_
#define QCONFORM_KERNELS_CONV_SCHEDULE_ARM_H_

#include <Halide.h>

namespace qconform::kernels {

// sdot multiplies a vector of weights by one lane of a register, so the activations of
// four instructions come in one load of sixteen bytes: `value` (k innermost, then m) is
// staged in registers once for every four steps of `step`, the reduction over groups of
// four. Broadcasting loads (ld1r) would each take a slot of the pipes of sdot. The last
// steps are guarded; the load itself may reach twelve bytes beyond the last activation.
inline void StageActivations(Halide::Func sum, Halide::Func value, Halide::Var k,
                             Halide::Var m, Halide::RVar step) {
  constexpr int kSteps = 4, kBytes = 16;
  Halide::RVar outer("step_outer"), inner("step_inner");
  sum.update()
      .split(step, outer, inner, kSteps, Halide::TailStrategy::GuardWithIf)
      .unroll(inner);
  value.compute_at(sum, outer)
      .store_in(Halide::MemoryType::Stack)
      .bound_extent(k, kBytes)
      .vectorize(k)
      .unroll(m);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_SCHEDULE_ARM_H_
