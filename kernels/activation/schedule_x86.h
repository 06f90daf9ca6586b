// How functions of one code are computed on x86.
#ifndef QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/layout/schedule_row_x86.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// Four vectors of floats, whose codes fill one vector of bytes. The parameters lie beside
// the codes (channels last), or one pair holds for the whole row.
template <typename Parameters, typename Output>
void ScheduleAffine(Output& output, Parameters& slope, Parameters& offset, Halide::Var i,
                    Path path) {
  output.dim(0).set_min(0);
  for (auto* parameters : {&slope, &offset})
    parameters->dim(0).set_min(0).set_stride(Halide::Expr());
  for (const int stride : {0, 1}) {
    VectorizeRow(output,
                 slope.dim(0).stride() == stride && offset.dim(0).stride() == stride, i,
                 4, path);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_SCHEDULE_X86_H_
