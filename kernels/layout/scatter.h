// From a buffer of the kernels' own to the caller's output.
#ifndef QCONFORM_KERNELS_LAYOUT_SCATTER_H_
#define QCONFORM_KERNELS_LAYOUT_SCATTER_H_

#include <cstdint>

#include "kernels/layout/image_view.h"

namespace qconform::kernels {

// Copies one image row: `channels` bytes of each of `width` pixels, which lie
// source_stride apart, to destination with its strides.
inline void ScatterRow(const uint8_t* source, int64_t source_stride, int64_t width,
                       int64_t channels, uint8_t* destination,
                       const ImageStride& stride) {
  if (stride.channel == 1) {
    for (int64_t x = 0; x < width; ++x) {
      for (int64_t c = 0; c < channels; ++c) {
        destination[x * stride.width + c] = source[x * source_stride + c];
      }
    }
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t x = 0; x < width; ++x) {
      destination[c * stride.channel + x * stride.width] = source[x * source_stride + c];
    }
  }
}

// Whether the pixels of all images lie equally far apart, with their channels side by
// side: then they are one matrix of `pixel_stride` bytes a row.
inline bool IsPixelMatrix(const ImageShape& shape, const ImageStride& stride,
                          int64_t& pixel_stride) {
  if (stride.channel != 1 && shape.channels > 1) return false;
  pixel_stride = shape.width > 1    ? stride.width
                 : shape.height > 1 ? stride.height
                 : shape.batch > 1  ? stride.batch
                                    : shape.channels;
  if (pixel_stride < shape.channels || pixel_stride > INT32_MAX) return false;
  if (shape.height > 1 && stride.height != pixel_stride * shape.width) return false;
  return shape.batch <= 1 || stride.batch == pixel_stride * shape.width * shape.height;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_SCATTER_H_
