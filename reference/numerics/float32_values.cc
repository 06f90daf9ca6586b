#include "reference/numerics/float32_values.h"

namespace qconform {

Tensor AsFloat32(const Tensor& x) {
  if (x.dtype() == DType::kFloat32) return x;
  Tensor real(DType::kFloat32, x.shape());
  for (int64_t i = 0; i < x.numel(); ++i) {
    real.data<float>()[i] = static_cast<float>(x.ValueAt(i));
  }
  return real;
}

}  // namespace qconform
