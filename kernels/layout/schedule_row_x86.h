// How the end of a row is met on x86.
#ifndef QCONFORM_KERNELS_LAYOUT_SCHEDULE_ROW_X86_H_
#define QCONFORM_KERNELS_LAYOUT_SCHEDULE_ROW_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

// Vectorizes a pure function of one row wherever `condition` holds, `vectors` of floats
// at a time. The last of them begins earlier and computes some elements again, which
// costs nothing beside a loop of single ones: rows are often planes of 49 or 196
// elements. The output must not overlap the input. Rows shorter than that take one vector
// at a time, the shortest single elements.
template <typename Output>
void VectorizeRow(Output& output, const Halide::Expr& condition, Halide::Var i,
                  int vectors, Path path) {
  for (const int lanes : {Lanes(path) * vectors, Lanes(path)}) {
    output.specialize(condition && output.dim(0).extent() >= lanes)
        .vectorize(i, lanes, Halide::TailStrategy::ShiftInwards);
    if (vectors == 1) return;
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_SCHEDULE_ROW_X86_H_
