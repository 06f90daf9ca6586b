#include "reference/numerics/error_bound/bounded_dynamic.h"

#include <algorithm>
#include <cmath>

#include "reference/numerics/dynamic_quantization.h"
#include "reference/numerics/error_bound/bounded_activation.h"

namespace qconform {
namespace {

// How many codes a value of `error` beside `value` may be away from its own code.
double CodesApart(double value, double error) {
  const double code = std::rint(value);
  return std::max(std::floor(value + error + 0.5) - code,
                  code - std::ceil(value - error - 0.5));
}

// Where the zero point lies before it is rounded: at the end of the range from which the
// reference took it.
double UnroundedZeroPoint(double low, double high, const DynamicCodes& dynamic,
                          CodeBounds bounds) {
  const double scale = double{dynamic.scale};
  const double from_low = bounds.min - low / scale;
  const double from_high = bounds.max - high / scale;
  const double zero_point = dynamic.zero_point;
  return std::abs(from_low - zero_point) < std::abs(from_high - zero_point) ? from_low
                                                                            : from_high;
}

}  // namespace

BoundedDynamic QuantizeBounded(std::span<const Bounded> values, CodeBounds bounds,
                               bool reduce_range) {
  std::vector<float> plain;
  double low = 0;
  double high = 0;
  double error = 0;
  for (const Bounded& value : values) {
    plain.push_back(static_cast<float>(value.value));
    low = std::min(low, value.value);
    high = std::max(high, value.value);
    error = std::max(error, value.error);
  }
  const DynamicCodes dynamic = QuantizeDynamically(plain, bounds, reduce_range);
  const double scale = double{dynamic.scale};
  CodeBounds chosen = bounds;
  if (reduce_range) chosen = {bounds.min / 2, bounds.max / 2};
  const double levels = chosen.max - chosen.min;
  BoundedDynamic result;
  result.scale = {scale, Gamma(4) * scale + 2 * error / levels};
  const double off = result.scale.error / scale;
  const double ends = std::max(-low, high) / scale;
  const double zero_point =
      std::clamp(UnroundedZeroPoint(low, high, dynamic, chosen),
                 static_cast<double>(chosen.min), static_cast<double>(chosen.max));
  result.zero_point = {zero_point,
                       ends * (off + Gamma(2)) + error / scale + Gamma(1) * levels};
  const double moved = CodesApart(zero_point, result.zero_point.error);
  for (size_t i = 0; i < plain.size(); ++i) {
    const double steps = double{plain[i]} / scale;
    const double steps_error =
        values[i].error / scale + std::abs(steps) * (off + Gamma(2));
    double apart = CodesApart(steps, steps_error);
    const int32_t code = dynamic.codes[i];
    if (code <= bounds.min + moved || code >= bounds.max - moved) apart += moved;
    result.codes.push_back({static_cast<double>(code), apart + moved});
    const double centered = code - dynamic.zero_point;
    result.real.push_back(Rounded(
        centered * scale,
        apart * (scale + result.scale.error) + std::abs(centered) * result.scale.error));
  }
  return result;
}

BoundedValues BoundedLinear(std::span<const Bounded> x, const BoundedValues& w,
                            const BoundedValues& bias, int64_t depth, DynamicSums sums,
                            const std::vector<double>& units) {
  const bool integers = sums != DynamicSums::kFloats;
  const auto k = static_cast<size_t>(depth);
  const size_t outputs = k == 0 ? bias.size() : w.size() / k;
  const size_t rows = k == 0 ? 0 : x.size() / k;
  BoundedValues y;
  y.reserve(rows * outputs);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t o = 0; o < outputs; ++o) {
      double value = 0;
      double error = 0;
      double size = 0;
      for (size_t i = 0; i < k; ++i) {
        const Bounded& a = x[row * k + i];
        const Bounded& b = w[o * k + i];
        value += a.value * b.value;
        size += std::abs(a.value * b.value);
        error +=
            std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
      }
      // The sum of integers times the product of scales, or of rounded products.
      const double roundings = integers ? 3 : static_cast<double>(depth);
      if (!units.empty() && !bias.empty()) error += units[o] / 2;
      Bounded sum{value, error + Gamma(roundings) *
                                     (integers ? std::abs(value) + error : size + error)};
      y.push_back(bias.empty() ? sum : Add(sum, bias[o]));
    }
  }
  return y;
}

std::vector<double> ProductScales(double x_scale, const qc_tensor& w) {
  std::vector<double> scales;
  for (int64_t o = 0; o < w.shape[0]; ++o)
    scales.push_back(x_scale * double{ScaleAt(w, o)});
  return scales;
}

std::vector<ArithmeticBound> DynamicLinearBounds(const ScalarCall& call) {
  const qc_tensor& w = *call.inputs[1];
  const int64_t depth = w.shape[1];
  if (static_cast<double>(ElementCount(call.y())) * static_cast<double>(depth) >
      static_cast<double>(kMostProducts)) {
    return {};
  }
  const std::string inputs = "n = " + std::to_string(depth) + ", " + ScaleTexts(call);
  std::vector<ArithmeticBound> bounds;
  struct Named {
    DynamicSums sums;
    const char* name;
    const char* formula;
  };
  static constexpr Named kNamed[] = {
      {DynamicSums::kIntegers, "codes at run time, int32 sums",
       "gamma_4 |y| + gamma_1 |b|"},
      {DynamicSums::kIntegersRoundedBias, "codes at run time, int32 sums with the bias",
       "gamma_4 |y| + gamma_1 |b| + sx sw / 2"},
      {DynamicSums::kFloats, "codes at run time, float32 sums",
       "gamma_(n+2) (sum |x| |w| + |b|)"}};
  for (const Named& named : kNamed) {
    bounds.push_back(RealBound(
        call, named.name,
        std::string("e = sum |w| e(x) + ") + named.formula +
            ", e(x) = gamma_5 |x| and a step where x / sx may round to either code",
        inputs, [call, depth, sums = named.sums, &w] {
          const BoundedDynamic x = QuantizeBounded(ReadBounded(call.x()), {0, 255},
                                                   call.attributes.reduce_range != 0);
          BoundedValues bias;
          if (call.input(2) != nullptr) bias = ReadBounded(*call.input(2));
          if (call.input(2) != nullptr && call.input(2)->dtype == QC_S32) {
            for (size_t o = 0; o < bias.size(); ++o) {
              const double ws = double{ScaleAt(w, static_cast<int64_t>(o))};
              bias[o] = Rounded(bias[o].value * x.scale.value * ws,
                                std::abs(bias[o].value) * ws * x.scale.error, 2);
            }
          }
          std::vector<double> units;
          if (sums == DynamicSums::kIntegersRoundedBias)
            units = ProductScales(x.scale.value, w);
          BoundedValues y =
              BoundedLinear(x.real, ReadBounded(w), bias, depth, sums, units);
          if (y.empty() && ElementCount(call.y()) > 0) {
            // No products: the bias, or nothing.
            for (int64_t i = 0; i < ElementCount(call.y()); ++i) {
              const auto o = static_cast<size_t>(i % w.shape[0]);
              y.push_back(bias.empty() ? Exact(0) : bias[o]);
              if (!bias.empty() && !units.empty()) y.back().error += units[o] / 2;
            }
          }
          for (Bounded& value : y) value = BoundedFusedActivation(call.attributes, value);
          return y;
        }));
  }
  return bounds;
}

}  // namespace qconform
