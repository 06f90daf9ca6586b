// How windows are walked on x86.
#ifndef QCONFORM_KERNELS_POOL_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_POOL_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

template <typename Codes>
void AnyStride(Codes& codes) {
  for (int i = 0; i < codes.dimensions(); ++i) codes.dim(i).set_min(0);
  codes.dim(0).set_stride(Halide::Expr());
}

// `count` windows at once along v, whose accumulators stay in registers while the taps
// pass: the reduction is computed inside the vectorized loop. The last ones shift inwards
// and compute some windows twice, so there must be `count` of them.
inline void ScheduleWindows(Halide::Stage stage, Halide::Var v, int count) {
  Halide::Var outer("v_outer"), inner("v_inner");
  stage.split(v, outer, inner, count, Halide::TailStrategy::ShiftInwards);
  if (count > 1) stage.vectorize(inner);
}

// Windows lie side by side (channels; pixels at stride 1) or skip every other pixel,
// which costs a shuffle a load. Any other strides take the loop at the end, one by one.
template <typename Output, typename Dimension>
void ScheduleMax(Output& output, Halide::Func most, Dimension input, Dimension result,
                 Halide::Var v) {
  const auto fits = [&](int stride, int count) {
    return input.stride() == stride && result.stride() == 1 && result.extent() >= count;
  };
  for (const int count : {64, 16, 8})
    ScheduleWindows(output.specialize(fits(1, count)), v, count);
  for (const int count : {32, 8})
    ScheduleWindows(output.specialize(fits(2, count)), v, count);
  ScheduleWindows(output, v, 1);
  most.compute_at(output, Halide::Var("v_inner"));
}

// The same in four vectors of floats, whose codes fill one vector of bytes, or one.
template <typename Output, typename Dimension>
void ScheduleAverage(Output& output, Halide::Func sum, Dimension input, Dimension divisor,
                     Dimension result, Halide::Var v, Path path) {
  const int lanes = Lanes(path);
  for (const auto& [of_input, of_divisor] : {std::pair{1, 0}, {1, 1}, {2, 1}})
    for (const int count : {lanes * 4, lanes}) {
      ScheduleWindows(output.specialize(input.stride() == of_input &&
                                        divisor.stride() == of_divisor &&
                                        result.stride() == 1 && result.extent() >= count),
                      v, count);
    }
  ScheduleWindows(output, v, 1);
  sum.compute_at(output, Halide::Var("v_inner"));
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_SCHEDULE_X86_H_
