// Linear layers use the tiles of the convolution: see conv/schedule_x86.h.
#ifndef QCONFORM_KERNELS_LINEAR_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_LINEAR_SCHEDULE_X86_H_

#include "kernels/conv/schedule_x86.h"
#include "kernels/linear/tile.h"

#endif  // QCONFORM_KERNELS_LINEAR_SCHEDULE_X86_H_
