// The windows of pooling: sizes with torch's rules, and walking over the elements of
// each window. All shapes are seen as [N*C, D, H, W], missing dimensions of size 1.
#ifndef QCONFORM_REFERENCE_NUMERICS_WINDOW_H_
#define QCONFORM_REFERENCE_NUMERICS_WINDOW_H_

#include <array>
#include <cstdint>
#include <string>

#include "reference/numerics/scalar_call.h"

namespace qconform {

using Spatial = std::array<int64_t, 3>;

struct WindowGeometry {
  int64_t planes = 1;  // N * C
  Spatial input{1, 1, 1};
  Spatial output{1, 1, 1};
  Spatial kernel{1, 1, 1};
  Spatial stride{1, 1, 1};
  Spatial dilation{1, 1, 1};
  Spatial before{0, 0, 0};
  Spatial after{0, 0, 0};
};

// Reads spatial_rank, kernel, stride (0: the kernel), dilation (0: 1), padding and
// ceil_mode. Answers with what is wrong: padding above half the window, an output of
// another size than (input + padding - reach) / stride + 1; rounded up in ceil mode, but
// without a window that would start in the padding behind.
std::string ReadWindows(const ScalarCall& call, WindowGeometry& geometry);

// Only sizes: windows of adaptive pooling start at floor(i * in / out) and end at
// ceil((i + 1) * in / out).
std::string ReadAdaptiveWindows(const ScalarCall& call, WindowGeometry& geometry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_WINDOW_H_
