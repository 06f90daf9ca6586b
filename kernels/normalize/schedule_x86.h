// How rows of codes are normalized on x86.
#ifndef QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// `vectors` of floats: four, whose codes fill one vector of bytes, or two where
// arithmetic in double already makes four of them. The parameters lie beside the codes,
// or one pair holds for the whole row.
template <typename Parameters, typename Output>
void ScheduleNormalizedRow(Output& output, Parameters& first, Parameters& second,
                           Halide::Var i, int vectors, Path path) {
  for (const int stride : {0, 1}) {
    output.specialize(first.dim(0).stride() == stride && second.dim(0).stride() == stride)
        .vectorize(i, Lanes(path) * vectors, Halide::TailStrategy::GuardWithIf);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_NORMALIZE_SCHEDULE_X86_H_
