// fake_quantize.h's formula on vectors, where every code is a small integer: rounding is
// then an addition, and all of it exact in float32.
#ifndef QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_LANES_H_
#define QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_LANES_H_

#include <cstdint>
#include <vector>

namespace qconform {

// Bounds and zero points must lie between -kLargestLaneCode and kLargestLaneCode.
inline constexpr double kLargestLaneCode = 0x1p21;

struct LaneBounds {
  float min;
  float max;
  // Where x / scale reaches this, the code is min; NaN here: nowhere.
  float overflow;
};

struct LaneChannel {
  float scale;
  float reciprocal;
  float zero;
};

// One value a column.
struct LaneColumns {
  std::vector<float> scale;
  std::vector<float> reciprocal;
  std::vector<float> zero;
};

// n values of one channel; `mask` may be nullptr.
void QuantizeLanes(const float* x, int64_t n, LaneChannel channel, LaneBounds bounds,
                   float* y, uint8_t* mask);

// n values that belong to the columns from `first` on.
void QuantizeColumns(const float* x, int64_t n, const LaneColumns& columns, int64_t first,
                     LaneBounds bounds, float* y, uint8_t* mask);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_LANES_H_
