// torch.nn.functional.normalize: each vector along an axis divided by its norm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/names.h"
#include "reference/ops/promote.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// The p-norm of `size` elements, in index order and in double.
double Norm(const float* data, int64_t size, int64_t step, double p) {
  double norm = 0;
  for (int64_t i = 0; i < size; ++i) {
    const double x = std::fabs(static_cast<double>(data[i * step]));
    if (std::isinf(p)) {
      norm = std::max(norm, x);
    } else {
      norm += p == 2 ? x * x : (p == 1 ? x : std::pow(x, p));
    }
  }
  if (std::isinf(p) || p == 1) return norm;
  return p == 2 ? std::sqrt(norm) : std::pow(norm, 1 / p);
}

Value Normalize(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  const double p = call.Real(1, "p", 2.0);
  const int axis = NormalizeAxis(call.Integer(2, "dim", 1), input.rank(), call);
  const float eps = static_cast<float>(call.Real(3, "eps", 1e-12));
  call.Ignore(4, "out");
  if (!(p > 0)) call.Fail("p is " + std::to_string(p), "a positive number");
  if (input.dtype() != DType::kFloat32) call.Fail("dtype is not float32");
  const AxisView view = ViewAlong(input.shape(), axis);
  const ElementReader<float> reader(input);
  const float* data = reader.data();
  return MakeTensor<float>(input.dtype(), input.shape(), [&](float* out) {
    for (int64_t row = 0; row < view.outer * view.inner; ++row) {
      const int64_t first = row / view.inner * view.size * view.inner + row % view.inner;
      const float norm = static_cast<float>(Norm(data + first, view.size, view.inner, p));
      for (int64_t i = 0; i < view.size; ++i) {
        const int64_t at = first + i * view.inner;
        out[at] = data[at] / std::max(norm, eps);
      }
    }
  });
}

}  // namespace

void AddNormalize(Registry& registry) { AddNnFunction(registry, "normalize", Normalize); }

}  // namespace qconform
