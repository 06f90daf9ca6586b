// Operators whose fault lies in how a value is computed, written out.
#include <algorithm>
#include <cmath>

#include "conformance/saboteurs/saboteur_plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/resampling.h"

namespace saboteur {
namespace {

constexpr float kLargestInt = 2147483520.0f;

// A float to a code, with the faults of quantizing.
int32_t Quantized(float value, float scale, int32_t zero, const qconform::CodeBounds& b,
                  bool tail) {
  float scaled = value * (1.0f / scale);
  if (kFault == Fault::quantize_by_division) scaled = value / scale;
  if (std::isnan(scaled))
    return std::clamp(kFault == Fault::nan_is_zero_point ? zero : 0, b.min, b.max);
  if (kFault == Fault::quantize_zero_point_first)
    return static_cast<int32_t>(std::clamp<double>(std::rint(double{scaled} + zero),
                                                   double(b.min), double(b.max)));
  if (kFault == Fault::quantize_half_away)
    return static_cast<int32_t>(std::clamp<double>(std::round(double{scaled}) + zero,
                                                   double(b.min), double(b.max)));
  if (kFault == Fault::quantize_wraps || (kFault == Fault::quantize_tail_wraps && tail)) {
    // The float saturates, and then the zero point is added in 32 bits.
    const auto limited =
        static_cast<int32_t>(std::rint(std::clamp(scaled, -2147483648.0f, kLargestInt)));
    const auto sum = static_cast<int32_t>(static_cast<uint32_t>(limited) +
                                          static_cast<uint32_t>(zero));
    return std::clamp(sum, b.min, b.max);
  }
  return static_cast<int32_t>(
      std::clamp<double>(std::rint(double{scaled}) + zero, double(b.min), double(b.max)));
}

void Quantize(const qc_tensor& x, qc_tensor& y) {
  const std::vector<float> values = qconform::ReadReal(x);
  std::vector<int32_t> codes;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool tail = i >= values.size() / 8 * 8;
    codes.push_back(
        Quantized(values[i], y.scale[0], ZeroPoint(y), qconform::BoundsOf(y), tail));
  }
  qconform::WriteIntegers(y, codes);
}

// As mobile kernels add: both operands by multipliers of 21 bits and one shift.
void AddInFixedPoint(const qc_tensor& a, const qc_tensor& b, qc_tensor& y) {
  const float ratio_a = a.scale[0] / y.scale[0];
  const float ratio_b = b.scale[0] / y.scale[0];
  int exponent = 0;
  std::frexp(std::max(ratio_a, ratio_b), &exponent);
  const int shift = 21 - exponent;
  const auto times_a = static_cast<int64_t>(std::rint(std::ldexp(ratio_a, shift)));
  const auto times_b = static_cast<int64_t>(std::rint(std::ldexp(ratio_b, shift)));
  const std::vector<int32_t> left = qconform::ReadIntegers(a);
  const std::vector<int32_t> right = qconform::ReadIntegers(b);
  const qconform::CodeBounds bounds = qconform::BoundsOf(y);
  std::vector<int32_t> codes;
  for (size_t i = 0; i < left.size(); ++i) {
    const int64_t acc =
        (left[i] - ZeroPoint(a)) * times_a + (right[i] - ZeroPoint(b)) * times_b;
    const int64_t rounded =
        shift > 0 ? (acc + (int64_t{1} << (shift - 1))) >> shift : acc << -shift;
    codes.push_back(static_cast<int32_t>(
        std::clamp<int64_t>(rounded + ZeroPoint(y), bounds.min, bounds.max)));
  }
  qconform::WriteIntegers(y, codes);
}

// The element whose centre is nearest, not the one at or before.
void UpsampleToCentres(const qc_tensor& x, const qc_attributes& a, qc_tensor& y) {
  std::vector<int32_t> codes = qconform::ReadIntegers(x);
  int64_t inner = 1;
  for (int d = x.rank - 1; d >= 2; --d) {
    const auto sources =
        qconform::NearestSources({x.shape[d], y.shape[d], a.scale_factor[d - 2]}, true);
    std::vector<int32_t> moved;
    const int64_t plane = x.shape[d] * inner;
    for (int64_t first = 0; first < static_cast<int64_t>(codes.size()); first += plane)
      for (const int64_t source : sources) {
        const auto from = codes.begin() + first + source * inner;
        moved.insert(moved.end(), from, from + inner);
      }
    inner *= y.shape[d];
    codes = std::move(moved);
  }
  qconform::WriteIntegers(y, codes);
}

}  // namespace

bool RunFaultyValues(const Plan& plan, const std::vector<const qc_tensor*>& inputs,
                     qc_tensor& y) {
  const qc_tensor& x = *inputs[0];
  switch (kFault) {
    case Fault::quantize_by_division:
    case Fault::quantize_zero_point_first:
    case Fault::quantize_half_away:
    case Fault::quantize_wraps:
    case Fault::quantize_tail_wraps:
    case Fault::nan_is_zero_point:
      if (plan.kind != QC_QUANTIZE || y.quantized_axis >= 0) return false;
      Quantize(x, y);
      return true;
    case Fault::add_in_fixed_point: {
      const bool two = inputs.size() > 1 && inputs[1] != nullptr;
      if (plan.kind != QC_ADD || !two || plan.attributes.activation != 0 ||
          plan.attributes.alpha > 1 || !IsCode(x.dtype) || !IsCode(y.dtype) ||
          qconform::ShapeOf(x) != qconform::ShapeOf(*inputs[1]) ||
          qconform::ShapeOf(x) != qconform::ShapeOf(y))
        return false;
      AddInFixedPoint(x, *inputs[1], y);
      return true;
    }
    case Fault::nearest_centre:
      if (plan.kind != QC_UPSAMPLE || plan.attributes.interpolation != 0 ||
          !qconform::SameQparams(x, y) || !IsCode(x.dtype))
        return false;
      UpsampleToCentres(x, plan.attributes, y);
      return true;
    default:
      return false;
  }
}

}  // namespace saboteur
