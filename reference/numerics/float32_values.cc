#include "reference/numerics/float32_values.h"

#include <cmath>
#include <limits>

namespace qconform {
namespace {

constexpr int64_t kParallelElements = 1 << 15;

}  // namespace

Tensor AsFloat32(const Tensor& x) {
  if (x.dtype() == DType::kFloat32) return x;
  Tensor real(DType::kFloat32, x.shape());
  for (int64_t i = 0; i < x.numel(); ++i) {
    real.data<float>()[i] = static_cast<float>(x.ValueAt(i));
  }
  return real;
}

ValueRange MinMax(const Tensor& x, int64_t begin, int64_t end) {
  const float* data = x.data<float>();
  float min = std::numeric_limits<float>::infinity();
  float max = -min;
  bool has_nan = false;
  // Minimum, maximum and "or" do not depend on the order of the elements.
#pragma omp parallel for reduction(min                     \
                                   : min) reduction(max    \
                                                    : max) \
    reduction(||                                           \
              : has_nan) if (end - begin > kParallelElements)
  for (int64_t i = begin; i < end; ++i) {
    min = data[i] < min ? data[i] : min;
    max = data[i] > max ? data[i] : max;
    has_nan = has_nan || std::isnan(data[i]);
  }
  if (has_nan) min = max = std::numeric_limits<float>::quiet_NaN();
  return {min, max};
}

ValueRange MinMax(const Tensor& x) { return MinMax(x, 0, x.numel()); }

}  // namespace qconform
