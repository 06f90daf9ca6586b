#include "kernels/conv/packed_input.h"

#include <algorithm>

namespace qconform::kernels {
namespace {

// A kernel may read this many elements past the last one: the rest of an instruction's
// group, which meets weights of zero.
constexpr int64_t kReadAhead = 8;

PackedAxis PackAxis(const Axis& axis) {
  PackedAxis packed;
  packed.before = axis.before;
  packed.input = axis.input;
  if (axis.kernel == 1) {
    packed.step = axis.stride;
    packed.extent = axis.output;
    packed.output_stride = 1;
  } else {
    packed.step = 1;
    packed.extent = axis.output == 0 ? 0 : (axis.output - 1) * axis.stride + axis.Span();
    packed.output_stride = axis.stride;
  }
  return packed;
}

// The packed positions [first, last) that hold input.
void InputRange(const PackedAxis& axis, int64_t& first, int64_t& last) {
  first = std::min(axis.extent, (axis.before + axis.step - 1) / axis.step);
  const int64_t end = axis.input + axis.before;  // p * step < end
  last = std::clamp((end + axis.step - 1) / axis.step, first, axis.extent);
}

// The channels of `count` pixels side by side, into places `step` apart.
template <typename T>
void PackDense(const PackedInput& packed, const uint8_t* source,
               const ImageStride& stride, CodeMap map, int64_t count, T* destination) {
  const int64_t channels = packed.channels;
  const int64_t pixel_stride = stride.width * packed.x.step;
  if (stride.channel == 1 && pixel_stride == channels) {
    CopyCodes(source, 1, count * channels, map, destination, 1);
  } else if (stride.channel == 1) {
    for (int64_t p = 0; p < count; ++p) {
      CopyCodes(source + p * pixel_stride, 1, channels, map, destination + p * channels,
                1);
    }
  } else {
    for (int64_t c = 0; c < channels; ++c) {
      CopyCodes(source + c * stride.channel, pixel_stride, count, map, destination + c,
                channels);
    }
  }
}

// One value of a pair for every pixel: `destination` is that value of the first pixel.
template <typename T>
void PackPairs(const PackedInput& packed, const uint8_t* source,
               const ImageStride& stride, CodeMap map, int64_t count, T* destination) {
  const int64_t pixel_stride = stride.width * packed.x.step;
  for (int64_t j = 0; j < packed.repeat; ++j) {
    for (int64_t p = 0; p < count; ++p) {
      CopyCodes(source + p * pixel_stride, stride.channel, packed.channels, map,
                destination + p * packed.pixel_elements + 2 * j, 2 * packed.repeat);
    }
  }
}

}  // namespace

PackedInput LayOutInput(const ConvGeometry& g, int lanes) {
  PackedInput packed;
  packed.batch = g.batch;
  packed.channels = g.Inputs();
  packed.y = PackAxis(g.y);
  packed.x = PackAxis(g.x);
  int64_t taps_x = g.x.kernel;
  int64_t tap_step = g.x.dilation;
  if (g.Depthwise()) {
    packed.repeat = g.group_outputs;
    packed.pair_distance = g.x.dilation;
    packed.pixel_elements = 2 * ((g.Outputs() + lanes - 1) / lanes * lanes);
    packed.run = 2;
    taps_x = (g.x.kernel + 1) / 2;
    tap_step = 2 * g.x.dilation;
  } else {
    packed.pixel_elements = packed.channels;
    packed.row_is_run = g.groups == 1 && (g.x.dilation == 1 || g.x.kernel == 1);
    packed.run = packed.row_is_run ? g.x.kernel * packed.channels : g.group_inputs;
    if (packed.row_is_run) taps_x = 1;
  }
  const int64_t row_elements = packed.x.extent * packed.pixel_elements;
  packed.elements = packed.Rows() * row_elements + kReadAhead;

  for (int64_t ky = 0; ky < g.y.kernel; ++ky) {
    for (int64_t tap = 0; tap < taps_x; ++tap) {
      packed.tap_offset.push_back(static_cast<int32_t>(
          ky * g.y.dilation * row_elements + tap * tap_step * packed.pixel_elements));
    }
  }
  packed.pixel_offset.reserve(g.OutputShape().Pixels());
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t y = 0; y < g.y.output; ++y) {
      const int64_t row = n * packed.y.extent + y * packed.y.output_stride;
      for (int64_t x = 0; x < g.x.output; ++x) {
        packed.pixel_offset.push_back(static_cast<int32_t>(
            row * row_elements + x * packed.x.output_stride * packed.pixel_elements));
      }
    }
  }
  return packed;
}

template <typename T>
void PackRow(const PackedInput& packed, const uint8_t* data, const ImageStride& stride,
             CodeMap map, int64_t row, T* destination) {
  const T zero = ZeroCode(map, destination);
  const int64_t row_elements = packed.x.extent * packed.pixel_elements;
  T* const begin = destination + row * row_elements;
  T* const end = begin + row_elements;
  const int64_t image = row / packed.y.extent;
  const int64_t y = (row % packed.y.extent) * packed.y.step - packed.y.before;
  if (y < 0 || y >= packed.y.input) {
    std::fill(begin, end, zero);
    return;
  }
  int64_t first, last;
  InputRange(packed.x, first, last);
  const uint8_t* source = data + image * stride.batch + y * stride.height +
                          (first * packed.x.step - packed.x.before) * stride.width;
  if (packed.pair_distance == 0) {
    std::fill(begin, begin + first * packed.pixel_elements, zero);
    PackDense(packed, source, stride, map, last - first,
              begin + first * packed.pixel_elements);
    std::fill(begin + last * packed.pixel_elements, end, zero);
    return;
  }
  if (first > 0 || last < packed.x.extent || packed.pair_distance > 0) {
    std::fill(begin, end, zero);
  }
  if (last > first) {
    PackPairs(packed, source, stride, map, last - first,
              begin + first * packed.pixel_elements);
    // The same pixels once more, as right neighbours of those one tap to their left.
    const int64_t skip = std::max<int64_t>(0, packed.pair_distance - first);
    if (first + skip < last) {
      PackPairs(
          packed, source + skip * stride.width * packed.x.step, stride, map,
          last - first - skip,
          begin + (first + skip - packed.pair_distance) * packed.pixel_elements + 1);
    }
  }
}

template void PackRow<int16_t>(const PackedInput&, const uint8_t*, const ImageStride&,
                               CodeMap, int64_t, int16_t*);
template void PackRow<uint8_t>(const PackedInput&, const uint8_t*, const ImageStride&,
                               CodeMap, int64_t, uint8_t*);

}  // namespace qconform::kernels
