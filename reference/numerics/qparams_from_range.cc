#include "reference/numerics/qparams_from_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// torch.min and torch.max hand NaN on, wherever it stands.
float Smaller(float a, float b) { return std::isnan(a) ? a : (b < a ? b : a); }
float Larger(float a, float b) { return std::isnan(a) ? a : (b > a ? b : a); }

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}

// rint and the conversion to 32 bits; what does not fit becomes the smallest
// integer, as the x86 conversion does.
int64_t RoundToInt32(float value) {
  const float rounded = std::rint(value);
  if (!(rounded >= -2147483648.0f && rounded < 2147483648.0f)) {
    return std::numeric_limits<int32_t>::min();
  }
  return static_cast<int64_t>(rounded);
}

// 32-bit wrap-around, as int32 tensors subtract.
int64_t SubtractWrapping(int64_t a, int64_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

// (high - low) / codes
float WidthOfCode(float low, float high, float codes, const RangeRule& rule) {
  const float width = high - low;
  if (rule.overflowing_range_is_infinite || std::isfinite(width)) return width / codes;
  return static_cast<float>((static_cast<double>(high) - static_cast<double>(low)) /
                            static_cast<double>(codes));
}

}  // namespace

int64_t SymmetricZeroPoint(const RangeRule& rule) {
  if (rule.dtype == DType::kQUInt8 || rule.dtype == DType::kUInt8) {
    return rule.has_customized_qrange ? FloorDivide(rule.quant_min + rule.quant_max, 2)
                                      : 128;
  }
  return rule.dtype == DType::kUInt16 ? 32768 : 0;
}

RangeQparams QparamsFromRange(float min, float max, const RangeRule& rule) {
  const auto code_range = static_cast<double>(rule.quant_max - rule.quant_min);
  if (rule.qscheme == QScheme::kPerChannelAffineFloatQparams) {
    float scale = WidthOfCode(min, max, static_cast<float>(code_range), rule);
    if (!(scale > rule.eps)) scale = 1.0f;
    return {scale, -min / scale};
  }
  const float low = Smaller(min, 0.0f);
  const float high = Larger(max, 0.0f);
  if (IsSymmetric(rule.qscheme)) {
    float scale = Larger(high, -low);
    if (std::isnan(low)) scale = low;
    scale = Larger(scale / static_cast<float>(code_range / 2), rule.eps);
    return {scale, static_cast<double>(SymmetricZeroPoint(rule))};
  }
  const float scale =
      Larger(WidthOfCode(low, high, static_cast<float>(code_range), rule), rule.eps);
  const int64_t zero_point = SubtractWrapping(rule.quant_min, RoundToInt32(low / scale));
  return {scale,
          static_cast<double>(std::clamp(zero_point, rule.quant_min, rule.quant_max))};
}

void RequireQuantRange(int64_t quant_min, int64_t quant_max) {
  if (quant_min > 0 || quant_max < 0) {
    throw PipelineError("AssertionError", "the quantization range must include 0");
  }
  if (quant_min >= quant_max) {
    throw PipelineError("AssertionError", "quant_min must be less than quant_max");
  }
}

}  // namespace qconform
