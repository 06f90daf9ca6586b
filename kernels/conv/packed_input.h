// Where the convolution kernels expect the activations.
#ifndef QCONFORM_KERNELS_CONV_PACKED_INPUT_H_
#define QCONFORM_KERNELS_CONV_PACKED_INPUT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/conv/geometry.h"
#include "kernels/layout/widen.h"

namespace qconform::kernels {

// Packed positions [first, first + count) along x: input positions input, input + step,
// ... or, with step 0 and input -1, zeros.
struct PackedRun {
  int64_t first, count, input, step;
};

// The packed images are [batch][z][y][x][channel], with padding written out; depthwise
// ones are [batch][z][y][x][output channel][2], the second value being that of the next
// tap to the right.
struct PackedInput {
  std::array<std::vector<int64_t>, 3> source;  // of z, y and x: see Axis
  std::vector<PackedRun> runs;                 // of x again
  int64_t extent = 1;                          // of x
  int64_t batch = 1;
  int64_t channels = 1;        // of the input tensor
  int64_t pixel_elements = 1;  // from one x to the next
  int64_t elements = 0;        // of all images, with room for the last instruction
  int64_t repeat = 1;          // depthwise: output channels per input channel
  int64_t pair_distance = 0;   // depthwise: packed positions between two taps; else 0
  std::vector<uint8_t> zero_codes;  // depthwise: a pixel of zeros

  int64_t RowElements() const { return extent * pixel_elements; }
  int64_t Rows() const {
    return batch * static_cast<int64_t>(source[0].size() * source[1].size());
  }
};

// `lanes`: depthwise channels are padded to a multiple of it; 0: never depthwise.
PackedInput LayOutInput(const ConvGeometry& geometry, int lanes, int32_t zero_point);

// The sums of one phase of every axis over the packed images. A tap of the kernel is one
// run of elements: of a whole kernel row where that is contiguous.
struct ConvPhase {
  std::array<const AxisPhase*, 3> of = {};  // z, y, x
  int64_t run = 1;
  bool row_is_run = false;
  std::vector<int32_t> tap_offset;
  std::vector<int32_t> pixel_offset;  // [batch * z count * y count * x count]

  int64_t Rows(int64_t batch) const { return batch * of[0]->count * of[1]->count; }
};

// Every combination; pointers stay inside `geometry`.
std::vector<ConvPhase> LayOutPhases(const ConvGeometry& geometry,
                                    const PackedInput& packed);

// Writes row `row` of Rows(): the codes of `data`, mapped. T is int16_t, uint8_t, int8_t
// or, for dense images only, float.
template <typename T, typename Map>
void PackRow(const PackedInput& packed, const uint8_t* data, const ImageStride& stride,
             const Map& map, int64_t row, T* destination);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_PACKED_INPUT_H_
