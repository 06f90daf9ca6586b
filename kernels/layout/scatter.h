// From a buffer of the kernels' own to the caller's output.
#ifndef QCONFORM_KERNELS_LAYOUT_SCATTER_H_
#define QCONFORM_KERNELS_LAYOUT_SCATTER_H_

#include <array>
#include <cstdint>
#include <utility>

#include "kernels/layout/image_view.h"

namespace qconform::kernels {

// Copies one image row: `channels` elements of each of `width` pixels, which lie
// source_stride elements apart, to destination with its strides in bytes. convert(value,
// channel) gives what is stored.
template <typename From, typename Convert>
void ScatterRow(const From* source, int64_t source_stride, int64_t width,
                int64_t channels, uint8_t* destination, const ImageStride& stride,
                Convert convert) {
  using To = decltype(convert(*source, int64_t{0}));
  const auto store = [&](int64_t x, int64_t c) {
    To* const to =
        reinterpret_cast<To*>(destination + x * stride.width + c * stride.channel);
    *to = convert(source[x * source_stride + c], c);
  };
  if (stride.channel == sizeof(To)) {
    for (int64_t x = 0; x < width; ++x) {
      To* const to = reinterpret_cast<To*>(destination + x * stride.width);
      for (int64_t c = 0; c < channels; ++c)
        to[c] = convert(source[x * source_stride + c], c);
    }
    return;
  }
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t x = 0; x < width; ++x) store(x, c);
}

// Whether the pixels of all images lie equally far apart, with their channels of `bytes`
// each side by side: then they are one matrix of `pixel_stride` elements a row.
inline bool IsPixelMatrix(const ImageShape& shape, const ImageStride& stride, int bytes,
                          int64_t& pixel_stride) {
  if (stride.channel != bytes && shape.channels > 1) return false;
  const std::array<std::pair<int64_t, int64_t>, 4> levels = {
      {{shape.width, stride.width},
       {shape.height, stride.height},
       {shape.depth, stride.depth},
       {shape.batch, stride.batch}}};
  int64_t step = shape.channels * bytes;
  int64_t below = 0;  // pixels in the dimensions seen so far, 0: none yet
  for (const auto& [size, stride_here] : levels) {
    if (size == 1) continue;
    if (below == 0) {
      step = stride_here;
    } else if (stride_here != step * below) {
      return false;
    }
    below = below == 0 ? size : below * size;
  }
  if (step % bytes != 0) return false;
  pixel_stride = step / bytes;
  return pixel_stride >= shape.channels && pixel_stride <= INT32_MAX;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_SCATTER_H_
