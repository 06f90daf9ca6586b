// How rows of float32 values become codes, and back, on x86.
#ifndef QCONFORM_KERNELS_QUANTIZE_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_QUANTIZE_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/layout/schedule_row_x86.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// So many vectors of floats that bytes fill one vector, or one of integers, whose
// arithmetic in double already takes two. The parameters lie beside the elements
// (channels), or one column of them holds for the whole row.
template <typename Parameters, typename Output>
void ScheduleConversion(Output& output, Parameters& parameters, Halide::Var i,
                        int vectors, Path path) {
  parameters.dim(0).set_min(0).set_stride(Halide::Expr());
  parameters.dim(1).set_min(0).set_stride(Halide::Expr());
  output.dim(0).set_min(0);
  for (const int stride : {0, 1})
    VectorizeRow(output, parameters.dim(0).stride() == stride, i, vectors, path);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_QUANTIZE_SCHEDULE_X86_H_
