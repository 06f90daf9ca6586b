#include "reference/native_operators/fixed_point_add.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr int64_t kLargestCode = 255;
// Multipliers lie in [2^21, 2^22] for the larger scale.
constexpr int kMultiplierBits = 22;

[[noreturn]] void Refuse(const std::string& what) {
  throw PipelineError("RuntimeError", "quantized.add: QNNPACK refuses " + what);
}

float ScaleRatio(const Tensor& input, const QuantizationParameters& output) {
  const float ratio = static_cast<float>(input.quantization()->scale.at(0)) /
                      static_cast<float>(output.scale.at(0));
  if (!(ratio >= 0x1p-14f && ratio < 0x1p8f)) {
    Refuse(
        fmt::format("the ratio {} of an input's scale to the output's, expected 2^-14 "
                    "to 2^8",
                    ratio));
  }
  return ratio;
}

int64_t RoundedShift(int64_t value, int shift) {
  const int64_t half = int64_t{1} << (shift - 1);
  return value < 0 ? -((-value + half) >> shift) : (value + half) >> shift;
}

}  // namespace

bool AddsInFixedPoint(const Tensor& a, const Tensor& b) {
  return a.dtype() == DType::kQUInt8 && b.dtype() == DType::kQUInt8 &&
         a.shape() == b.shape();
}

Tensor AddInFixedPoint(const Tensor& a, const Tensor& b,
                       const QuantizationParameters& output, bool relu) {
  Tensor result(a.dtype(), a.shape());
  result.set_quantization(output);
  if (a.rank() == 0) Refuse("a tensor without dimensions");
  if (a.dim(0) == 0) return result;
  const auto zero_point = static_cast<int64_t>(output.zero_point.at(0));
  const int64_t low = relu ? zero_point : 0;
  if (low >= kLargestCode) Refuse("a relu at zero point 255");
  const float ratio_a = ScaleRatio(a, output);
  const float ratio_b = ScaleRatio(b, output);
  const int shift = kMultiplierBits - 1 - std::ilogb(std::max(ratio_a, ratio_b));
  const int64_t factor_a = std::lrint(std::ldexp(ratio_a, shift));
  const int64_t factor_b = std::lrint(std::ldexp(ratio_b, shift));
  const auto zero_a = static_cast<int64_t>(a.quantization()->zero_point.at(0));
  const auto zero_b = static_cast<int64_t>(b.quantization()->zero_point.at(0));
  for (int64_t i = 0; i < a.numel(); ++i) {
    const int64_t sum =
        (a.IntegerAt(i) - zero_a) * factor_a + (b.IntegerAt(i) - zero_b) * factor_b;
    result.data<uint8_t>()[i] = static_cast<uint8_t>(
        std::clamp(RoundedShift(sum, shift) + zero_point, low, kLargestCode));
  }
  return result;
}

}  // namespace qconform
