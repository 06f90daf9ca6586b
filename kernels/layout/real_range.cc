#include "kernels/layout/real_range.h"

#include <algorithm>
#include <cstring>

namespace qconform::kernels {

void RealRange::Include(const RealRange& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

void RealRange::Include(const uint8_t* values, int64_t stride, int64_t count) {
  if (stride != sizeof(float)) {
    for (int64_t i = 0; i < count; ++i) {
      float value;
      std::memcpy(&value, values + i * stride, sizeof value);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    return;
  }
  // Lanes of their own, which the compiler keeps in vectors: the order of a minimum is
  // free, since it starts at zero and passes NaN by.
  constexpr int64_t kLanes = 32;
  float low[kLanes] = {}, high[kLanes] = {};
  const auto* const real = reinterpret_cast<const float*>(values);
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
#pragma omp simd
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const float value = real[i + lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    }
  }
  for (; i < count; ++i) Include({std::min(0.0f, real[i]), std::max(0.0f, real[i])});
  for (int64_t lane = 0; lane < kLanes; ++lane) Include({low[lane], high[lane]});
}

}  // namespace qconform::kernels
