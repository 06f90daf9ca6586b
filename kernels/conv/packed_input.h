// Where the convolution kernels expect the activations.
#ifndef QCONFORM_KERNELS_CONV_PACKED_INPUT_H_
#define QCONFORM_KERNELS_CONV_PACKED_INPUT_H_

#include <cstdint>
#include <vector>

#include "kernels/conv/geometry.h"
#include "kernels/layout/widen.h"

namespace qconform::kernels {

// One axis of the packed images: index p holds input position p * step - before, or
// the zero point where there is none. A kernel of one tap needs only the positions that
// it reads, so its stride moves into the packing.
struct PackedAxis {
  int64_t extent = 1, step = 1, before = 0, input = 1;
  int64_t output_stride = 1;  // packed positions between two outputs
};

// The packed images are [batch][y][x][channel], with padding written out; depthwise
// ones are [batch][y][x][output channel][2], the second value being that of the next
// tap to the right.
struct PackedInput {
  PackedAxis y, x;
  int64_t batch = 1;
  int64_t channels = 1;        // of the input tensor
  int64_t pixel_elements = 1;  // from one x to the next
  int64_t elements = 0;        // of all images, with room for the last instruction
  int64_t repeat = 1;          // depthwise: output channels per input channel
  int64_t pair_distance = 0;   // depthwise: packed positions between two taps; else 0
  // A tap is one run of elements: of a whole kernel row where that is contiguous.
  int64_t run = 1;
  bool row_is_run = false;
  std::vector<int32_t> tap_offset;
  std::vector<int32_t> pixel_offset;  // [batch * y.output * x.output]

  int64_t Rows() const { return batch * y.extent; }
};

// `lanes`: depthwise channels are padded to a multiple of it.
PackedInput LayOutInput(const ConvGeometry& geometry, int lanes);

// Writes row `row` of Rows(): the codes of `data`, mapped. T is int16_t or uint8_t.
template <typename T>
void PackRow(const PackedInput& packed, const uint8_t* data, const ImageStride& stride,
             CodeMap map, int64_t row, T* destination);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_PACKED_INPUT_H_
