#include "reference/numerics/choose_qparams.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "reference/ir/error.h"
#include "reference/numerics/float32_values.h"
#include "reference/numerics/qparams_from_range.h"
#include "reference/numerics/quantize.h"

namespace qconform {
namespace {

constexpr float kSmallestScale = 6.1e-5f;

// Widens a two-sided range so that both ends lie on the outer codes of a symmetric
// range around zero.
void MakeSymmetric(float& min, float& max, int32_t quant_min, int32_t quant_max) {
  const int half = (quant_max - quant_min) / 2;
  const int symmetric_min = -(half + 1);
  const int symmetric_max = half;
  const double largest =
      std::max(std::fabs(static_cast<double>(min / static_cast<float>(symmetric_min))),
               std::fabs(static_cast<double>(max / static_cast<float>(symmetric_max))));
  min = static_cast<float>(largest * symmetric_min);
  max = static_cast<float>(largest * symmetric_max);
}

}  // namespace

ChosenQparams ChooseQuantizationParams(float min, float max, int32_t quant_min,
                                       int32_t quant_max, bool symmetric,
                                       bool reduce_range) {
  if (reduce_range) {
    quant_min /= 2;
    quant_max /= 2;
  }
  const bool symmetric_two_sided = symmetric && min < 0 && max > 0;
  if (symmetric_two_sided) MakeSymmetric(min, max, quant_min, quant_max);
  // Zero must be a code.
  min = std::min(min, 0.0f);
  max = std::max(max, 0.0f);

  const int32_t range = quant_max - quant_min;
  double scale = (static_cast<double>(max) - min) / range;
  if (static_cast<float>(scale) == 0.0f || std::isinf(1.0f / static_cast<float>(scale))) {
    scale = 0.1;
  }
  if (scale < kSmallestScale) {
    const auto original = static_cast<float>(scale);
    scale = kSmallestScale;
    if (min == 0.0f) {
      max = kSmallestScale * static_cast<float>(range);
    } else if (max == 0.0f) {
      min = -kSmallestScale * static_cast<float>(range);
    } else {
      const float amplifier = kSmallestScale / original;
      min *= amplifier;
      max *= amplifier;
    }
  }

  // The zero point comes from the end that puts it closer to an exact code.
  const double from_min = quant_min - min / scale;
  const double from_max = quant_max - max / scale;
  const double error_min = std::abs(quant_min) - std::fabs(min / scale);
  const double error_max = std::abs(quant_max) - std::fabs(max / scale);
  double zero_point = error_min < error_max ? from_min : from_max;
  if (symmetric_two_sided) {
    zero_point = static_cast<double>(quant_min + quant_max) / 2;
  }
  int64_t code;
  if (std::isnan(zero_point)) {
    // The x86 conversion of NaN, kept by the 32 bits that torch stores.
    code = std::numeric_limits<int32_t>::min();
  } else if (zero_point < quant_min) {
    code = quant_min;
  } else if (zero_point > quant_max) {
    code = quant_max;
  } else {
    code = static_cast<int64_t>(std::nearbyint(zero_point));
  }
  return {scale, code};
}

Tensor QuantizePerTensorDynamic(const Tensor& x, DType dtype, bool reduce_range) {
  ValueRange range{0.0f, 0.0f};
  if (x.numel() > 0) range = MinMax(AsFloat32(x));
  const IntegerRange codes = CodeRange(dtype);
  const ChosenQparams chosen =
      ChooseQuantizationParams(range.min, range.max, static_cast<int32_t>(codes.min),
                               static_cast<int32_t>(codes.max), false, reduce_range);
  return QuantizePerTensor(x, chosen.scale, chosen.zero_point, dtype);
}

namespace {

ChosenQparams Decomposed(const Tensor& x, int64_t quant_min, int64_t quant_max,
                         double eps, DType dtype, QScheme qscheme) {
  if (x.dtype() != DType::kFloat32 && x.dtype() != DType::kFloat16 &&
      x.dtype() != DType::kBFloat16) {
    throw PipelineError(
        "AssertionError",
        "input of dtype " + std::string(DTypeName(x.dtype())) + ", expected float32");
  }
  RequireQuantRange(quant_min, quant_max);
  if (x.numel() == 0) {
    throw PipelineError("RuntimeError", "no range of an empty tensor");
  }
  const ValueRange range = MinMax(AsFloat32(x));
  const RangeRule rule{.dtype = dtype,
                       .qscheme = qscheme,
                       .quant_min = quant_min,
                       .quant_max = quant_max,
                       .eps = static_cast<float>(eps)};
  const RangeQparams qparams = QparamsFromRange(range.min, range.max, rule);
  return {qparams.scale, static_cast<int64_t>(qparams.zero_point)};
}

}  // namespace

ChosenQparams DecomposedChooseQparams(const Tensor& x, int64_t quant_min,
                                      int64_t quant_max, double eps, DType dtype) {
  return Decomposed(x, quant_min, quant_max, eps, dtype, QScheme::kPerTensorAffine);
}

ChosenQparams DecomposedChooseQparamsSymmetric(const Tensor& x, int64_t quant_min,
                                               int64_t quant_max, double eps,
                                               DType dtype) {
  return Decomposed(x, quant_min, quant_max, eps, dtype, QScheme::kPerTensorSymmetric);
}

}  // namespace qconform
