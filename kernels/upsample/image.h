// The two images of an UPSAMPLE.
#ifndef QCONFORM_KERNELS_UPSAMPLE_IMAGE_H_
#define QCONFORM_KERNELS_UPSAMPLE_IMAGE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/resampling.h"

namespace qconform::kernels {

// Byte strides; missing spatial dimensions have size 1 and stride 0.
struct UpsampleStrides {
  explicit UpsampleStrides(const qc_tensor& tensor)
      : batch(tensor.stride[0]), channel(tensor.stride[1]) {
    for (int i = 2; i < tensor.rank; ++i)
      spatial[static_cast<size_t>(i + 3 - tensor.rank)] = tensor.stride[i];
  }

  int64_t batch, channel;
  std::array<int64_t, 3> spatial = {0, 0, 0};
};

// The axes that there are, and sizes with the missing ones.
struct UpsampleSizes {
  explicit UpsampleSizes(const qc_descriptor& descriptor) {
    const qc_tensor& x = *descriptor.inputs[0];
    const qc_tensor& y = *descriptor.outputs[0];
    batch = x.shape[0];
    channels = x.shape[1];
    for (int i = 2; i < x.rank; ++i) {
      axes.push_back(
          {x.shape[i], y.shape[i], descriptor.attributes->scale_factor[i - 2]});
      output[static_cast<size_t>(i + 3 - x.rank)] = y.shape[i];
    }
  }
  // Of axis 0 to 2 (depth, height, width) the place in `axes`, or below zero.
  int Present(int axis) const { return axis - 3 + static_cast<int>(axes.size()); }

  int64_t batch, channels;
  std::vector<ResizedAxis> axes;
  std::array<int64_t, 3> output = {1, 1, 1};
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_UPSAMPLE_IMAGE_H_
