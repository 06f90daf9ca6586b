// The windows of pooling along one axis, in groups that a kernel computes in one go.
#ifndef QCONFORM_KERNELS_POOL_WINDOW_GROUPS_H_
#define QCONFORM_KERNELS_POOL_WINDOW_GROUPS_H_

#include <cstdint>
#include <vector>

#include "reference/numerics/window.h"

namespace qconform::kernels {

// Windows with as many elements inside of the input, equally far apart. Without taps a
// window lies in the padding as a whole.
struct WindowGroup {
  int64_t first = 0;     // output
  int64_t count = 0;     // outputs
  int64_t begin = 0;     // first input element of the first window
  int64_t step = 0;      // from window to window
  int64_t taps = 0;      // elements of a window
  int64_t tap_step = 1;  // from element to element
  int64_t length = 0;    // of a window, as the mean counts it; may be negative
};

// In the order of the outputs; together they are all of them. With include_pad `length`
// counts padding, but not what ceil mode adds behind it.
std::vector<WindowGroup> WindowGroups(const WindowGeometry& geometry, size_t axis,
                                      bool adaptive, bool include_pad);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_WINDOW_GROUPS_H_
