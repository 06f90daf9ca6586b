#include "reference/numerics/quantize_value.h"

#include <algorithm>
#include <limits>

namespace qconform {

int32_t QuantizeAsTorch(float x, float reciprocal, int32_t zero_point, int32_t min,
                        int32_t max) {
  // The largest float below 2^31; the comparison is written so that NaN takes it.
  constexpr float kLargest = 2147483520.0f;
  float scaled = x * reciprocal;
  if (!(scaled <= kLargest)) scaled = kLargest;
  scaled = std::rint(scaled);
  const int32_t rounded = scaled < -2147483648.0f ? std::numeric_limits<int32_t>::min()
                                                  : static_cast<int32_t>(scaled);
  const uint32_t wrapped =
      static_cast<uint32_t>(rounded) + static_cast<uint32_t>(zero_point);
  return std::clamp(static_cast<int32_t>(wrapped), min, max);
}

}  // namespace qconform
