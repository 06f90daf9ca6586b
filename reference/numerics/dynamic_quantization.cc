#include "reference/numerics/dynamic_quantization.h"

#include <algorithm>

#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/quantize_value.h"

namespace qconform {

DynamicCodes QuantizeDynamically(std::span<const float> values, CodeBounds bounds,
                                 bool reduce_range) {
  float min = 0.0f;
  float max = 0.0f;
  for (const float value : values) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
  const ChosenQparams chosen =
      ChooseQuantizationParams(min, max, bounds.min, bounds.max, false, reduce_range);
  DynamicCodes dynamic{
      {}, static_cast<float>(chosen.scale), static_cast<int32_t>(chosen.zero_point)};
  dynamic.codes.reserve(values.size());
  const float reciprocal = ReciprocalScale(dynamic.scale);
  for (const float value : values) {
    dynamic.codes.push_back(QuantizeSaturating(value, reciprocal, dynamic.zero_point,
                                               bounds.min, bounds.max));
  }
  return dynamic;
}

}  // namespace qconform
