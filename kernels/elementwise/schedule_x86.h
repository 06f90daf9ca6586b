// How rows of two operands are walked on x86.
#ifndef QCONFORM_KERNELS_ELEMENTWISE_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_ELEMENTWISE_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// Four vectors of floats, whose codes fill one vector of bytes. `a` and `b` are side by
// side in memory or repeated; any other strides take the loop at the end, code by code.
template <typename Codes, typename Output>
void ScheduleRows(Output& output, Codes& a, Codes& b, Halide::Var i, Path path) {
  const auto is = [](Codes& codes, int stride) {
    return codes.dim(0).stride() == stride;
  };
  const int vector = Lanes(path) * 4;
  Halide::Expr dense = output.dim(0).stride() == 1;
  for (const auto& [of_a, of_b] : {std::pair{1, 1}, {1, 0}, {0, 1}}) {
    output.specialize(dense && is(a, of_a) && is(b, of_b))
        .vectorize(i, vector, Halide::TailStrategy::GuardWithIf);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ELEMENTWISE_SCHEDULE_X86_H_
