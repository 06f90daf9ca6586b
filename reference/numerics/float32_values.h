// A tensor's values as float32.
#ifndef QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_
#define QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_

#include "reference/ir/tensor.h"

namespace qconform {

// x itself if it is float32 already (shared storage), else a converted copy.
Tensor AsFloat32(const Tensor& x);

struct ValueRange {
  float min;
  float max;
};

// Smallest and largest value; NaN if any value is NaN. Precondition: x is float32
// and not empty. (torch.aminmax)
ValueRange MinMax(const Tensor& x);

// Of elements [begin, end).
ValueRange MinMax(const Tensor& x, int64_t begin, int64_t end);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_
