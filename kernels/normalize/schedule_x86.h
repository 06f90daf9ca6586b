// How rows of codes are normalized on x86.
#ifndef QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// Four vectors of floats, whose codes fill one vector of bytes. The parameters lie beside
// the codes (channels last), or one pair holds for the whole row.
template <typename Parameters, typename Output>
void ScheduleNormalizedRow(Output& output, Parameters& first, Parameters& second,
                           Halide::Var i, Path path) {
  for (const int stride : {0, 1}) {
    output.specialize(first.dim(0).stride() == stride && second.dim(0).stride() == stride)
        .vectorize(i, Lanes(path) * 4, Halide::TailStrategy::GuardWithIf);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
