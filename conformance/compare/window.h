// The products that one element of a convolution or linear sums up.
#ifndef QCONFORM_CONFORMANCE_COMPARE_WINDOW_H_
#define QCONFORM_CONFORMANCE_COMPARE_WINDOW_H_

#include <cstdint>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

struct WindowProduct {
  int32_t x;  // code; the zero point where the window lies over padding
  int32_t w;
  bool padding;
};

struct Window {
  // Kernel positions outermost, channels innermost, as channels_last lies in memory.
  std::vector<WindowProduct> products;
  int64_t channels = 1;  // the innermost count
  int64_t output_channel = 0;
};

// Precondition: CONV or LINEAR with codes for x and w. `index` counts y in row-major
// order.
Window WindowOf(const OperatorCall& call, int64_t index);

// Whether a call has windows at all.
bool HasWindows(const OperatorCall& call);

// The products that a call sums up; its elements where it has no windows.
int64_t Multiplications(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_WINDOW_H_
