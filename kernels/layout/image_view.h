// An activation tensor of a convolution or linear layer, seen as images.
#ifndef QCONFORM_KERNELS_LAYOUT_IMAGE_VIEW_H_
#define QCONFORM_KERNELS_LAYOUT_IMAGE_VIEW_H_

#include <cstdint>

namespace qconform::kernels {

// Five logical dimensions; strides in bytes, of any sign and order.
struct ImageShape {
  int64_t batch = 1, depth = 1, height = 1, width = 1, channels = 1;
};

struct ImageStride {
  int64_t batch = 0, depth = 0, height = 0, width = 0, channel = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_IMAGE_VIEW_H_
