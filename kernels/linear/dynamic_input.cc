#include "kernels/linear/dynamic_input.h"

#include <bit>
#include <cstring>

#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

constexpr int32_t kLargestCode = 255;

float ValueAt(const uint8_t* values, int64_t stride, int64_t i) {
  float value;
  std::memcpy(&value, values + i * stride, sizeof value);
  return value;
}

// `moved` is added to each code.
template <typename Code>
void Quantize(const uint8_t* values, int64_t stride, int64_t count,
              const DynamicQparams& qparams, int32_t moved, Code* codes) {
  const float reciprocal = ReciprocalScale(qparams.scale);
  const int32_t zero_point = qparams.zero_point;
  if (stride != sizeof(float) || zero_point < 0 || zero_point > kLargestCode) {
    for (int64_t i = 0; i < count; ++i) {
      const int32_t code = QuantizeSaturating(ValueAt(values, stride, i), reciprocal,
                                              zero_point, 0, kLargestCode);
      codes[i] = static_cast<Code>(code + moved);
    }
    return;
  }
  // As requantize/epilogue.h: clamped between integers first, then rounded by adding a
  // number whose last bit is one.
  constexpr float kMagic = 12582912.0f;
  constexpr int32_t kMagicBits = 0x4B400000;
  const auto lower = static_cast<float>(-zero_point);
  const auto upper = static_cast<float>(kLargestCode - zero_point);
  const int32_t shift = zero_point + moved - kMagicBits;
  const auto* const real = reinterpret_cast<const float*>(values);
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    const float scaled = real[i] * reciprocal;
    const float above = scaled < lower ? lower : scaled;
    const float inside = above > upper ? upper : above;
    const int32_t code = std::bit_cast<int32_t>(inside + kMagic) + shift;
    codes[i] = static_cast<Code>(scaled == scaled ? code : moved);
  }
}

}  // namespace

DynamicQparams DynamicQparams::Choose(const RealRange& range, bool reduce_range) {
  const ChosenQparams chosen = ChooseQuantizationParams(
      range.least, range.most, 0, kLargestCode, false, reduce_range);
  return {static_cast<float>(chosen.scale), static_cast<int32_t>(chosen.zero_point)};
}

void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, uint8_t* codes) {
  Quantize(values, stride, count, qparams, 0, codes);
}

void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, int8_t* codes) {
  Quantize(values, stride, count, qparams, -128, codes);
}

void QuantizeRow(const uint8_t* values, int64_t stride, int64_t count,
                 const DynamicQparams& qparams, int16_t* codes) {
  Quantize(values, stride, count, qparams, -qparams.ProductZeroPoint(), codes);
}

}  // namespace qconform::kernels
