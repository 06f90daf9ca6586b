// How quotients become codes on x86.
#ifndef QCONFORM_KERNELS_SOFTMAX_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_SOFTMAX_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/layout/schedule_row_x86.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// Two vectors of floats: four of doubles, whose divisions overlap.
template <typename Output>
void ScheduleQuotients(Output& output, Halide::Var i, Path path) {
  VectorizeRow(output, Halide::Internal::const_true(), i, 2, path);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_SOFTMAX_SCHEDULE_X86_H_
