// A tensor's values as float32.
#ifndef QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_
#define QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_

#include "reference/ir/tensor.h"
#include "reference/numerics/value_range.h"

namespace qconform {

// x itself if it is float32 already (shared storage), else a converted copy.
Tensor AsFloat32(const Tensor& x);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FLOAT32_VALUES_H_
