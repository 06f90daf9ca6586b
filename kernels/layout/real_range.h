// The range of float32 values.
#ifndef QCONFORM_KERNELS_LAYOUT_REAL_RANGE_H_
#define QCONFORM_KERNELS_LAYOUT_REAL_RANGE_H_

#include <cstdint>

namespace qconform::kernels {

// The smallest and the largest value, with zero; NaN is neither.
struct RealRange {
  float least = 0.0f, most = 0.0f;

  void Include(const RealRange& other);
  // `count` floats, `stride` bytes apart.
  void Include(const uint8_t* values, int64_t stride, int64_t count);
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_REAL_RANGE_H_
