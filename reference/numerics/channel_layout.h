// A row-major shape seen as outer x channels x inner around one axis.
#ifndef QCONFORM_REFERENCE_NUMERICS_CHANNEL_LAYOUT_H_
#define QCONFORM_REFERENCE_NUMERICS_CHANNEL_LAYOUT_H_

#include <cstdint>

#include "reference/ir/error.h"
#include "reference/ir/tensor.h"

namespace qconform {

struct ChannelLayout {
  int64_t outer = 1;
  int64_t channels = 1;
  int64_t inner = 1;

  // Throws PipelineError("IndexError") if the shape has no such axis and
  // PipelineError("RuntimeError") if it does not have `channels` slices.
  static ChannelLayout Of(const Shape& shape, int axis, size_t channels) {
    if (axis < 0 || static_cast<size_t>(axis) >= shape.size()) {
      throw PipelineError("IndexError", "axis " + std::to_string(axis) +
                                            " is outside of shape " + ShapeText(shape));
    }
    ChannelLayout layout;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (static_cast<int>(i) < axis) layout.outer *= shape[i];
      if (static_cast<int>(i) == axis) layout.channels = shape[i];
      if (static_cast<int>(i) > axis) layout.inner *= shape[i];
    }
    if (static_cast<size_t>(layout.channels) != channels) {
      throw PipelineError("RuntimeError", "axis " + std::to_string(axis) + " of shape " +
                                              ShapeText(shape) + " has no " +
                                              std::to_string(channels) +
                                              " slices, one for each scale");
    }
    return layout;
  }

  // Calls visit(channel, begin, end) for every run of elements of one channel.
  template <typename Visit>
  void ForEachRun(const Visit& visit) const {
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t begin = (o * channels + c) * inner;
        visit(c, begin, begin + inner);
      }
    }
  }
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_CHANNEL_LAYOUT_H_
