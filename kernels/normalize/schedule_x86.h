// How rows of codes are normalized on x86.
#ifndef QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/layout/schedule_row_x86.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// Two vectors of floats, of which arithmetic in double makes four. The parameters lie
// beside the codes, or one pair holds for the whole row.
template <typename Parameters, typename Output>
void ScheduleNormalizedRow(Output& output, Parameters& gamma, Parameters& beta,
                           Halide::Var i, Path path) {
  for (const int stride : {0, 1}) {
    VectorizeRow(output,
                 gamma.dim(0).stride() == stride && beta.dim(0).stride() == stride, i, 2,
                 path);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
