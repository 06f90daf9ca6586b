#include "reference/numerics/error_bound/weighted_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/error_bound/bounded_activation.h"
#include "reference/numerics/error_bound/bounded_dynamic.h"
#include "reference/numerics/fixed_point.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {
namespace {

using Sums = std::vector<int32_t>;

// The exact accumulators of x and w without a bias; nullopt if one leaves 32 bits.
std::optional<Sums> Accumulate(const ScalarCall& call, const qc_tensor& x,
                               const qc_tensor& w) {
  Sums sums(static_cast<size_t>(ElementCount(call.y())));
  qc_tensor y = DenseTensor(QC_S32, ShapeOf(call.y()), sums.data());
  y.scale = nullptr;
  y.qparam_count = 0;
  qc_attributes attributes = call.attributes;
  attributes.size = sizeof attributes;
  attributes.activation = QC_ACTIVATION_NONE;
  attributes.residual = 0;
  const qc_tensor* inputs[] = {&x, &w};
  qc_tensor* outputs[] = {&y};
  const qc_tensor* described[] = {&y};
  const qc_descriptor descriptor = Descriptor(call.kind, attributes, inputs, described);
  ScalarReport report;
  if (RunScalarOperator(descriptor, inputs, outputs, &report) != QC_OK ||
      report.accumulator_overflow) {
    return std::nullopt;
  }
  return sums;
}

// |code - zero point| as u8 with a zero point of 0.
std::vector<uint8_t> Magnitudes(const qc_tensor& tensor) {
  std::vector<uint8_t> magnitudes;
  for (const int32_t code : ReadIntegers(tensor)) {
    const int64_t channel =
        QuantizedChannel(tensor, static_cast<int64_t>(magnitudes.size()));
    magnitudes.push_back(
        static_cast<uint8_t>(std::abs(code - ZeroPointAt(tensor, channel))));
  }
  return magnitudes;
}

std::optional<Sums> AccumulateMagnitudes(const ScalarCall& call) {
  const qc_tensor& w = *call.inputs[1];
  std::vector<uint8_t> x_codes = Magnitudes(call.x());
  std::vector<uint8_t> w_codes = Magnitudes(w);
  return Accumulate(call, DenseTensor(QC_U8, ShapeOf(call.x()), x_codes.data()),
                    DenseTensor(QC_U8, ShapeOf(w), w_codes.data()));
}

// The real bias of a channel, or its accumulators.
struct Biases {
  std::vector<float> real;
  std::vector<int32_t> codes;
};

class WeightedElements {
 public:
  explicit WeightedElements(const ScalarCall& call) : call_(call), w_(*call.inputs[1]) {
    if (const qc_tensor* bias = call.input(2); bias != nullptr) {
      if (bias->dtype == QC_F32) biases_.real = ReadReal(*bias);
      if (bias->dtype == QC_S32) biases_.codes = ReadIntegers(*bias);
    }
    const bool linear = call.kind == QC_LINEAR;
    const int axis = linear ? call.y().rank - 1 : 1;
    inner_ = SizeOf(call.y(), axis + 1, call.y().rank);
    channels_ = call.y().shape[axis];
    weight_axis_ = call.kind == QC_CONV_TRANSPOSE ? 1 : 0;
    const int64_t groups = std::max<int64_t>(call.attributes.groups, 1);
    products_ = SizeOf(w_, 1, w_.rank);
    if (weight_axis_ == 1) products_ = w_.shape[0] / groups * SizeOf(w_, 2, w_.rank);
  }

  int64_t products() const { return products_; }
  bool has_real_bias() const { return !biases_.real.empty(); }

  // Every accumulator with its bias; false if one leaves 32 bits.
  bool AccumulateWithBias() {
    auto sums = Accumulate(call_, call_.x(), w_);
    if (!sums) return false;
    sums_ = std::move(*sums);
    if (biases_.codes.empty()) return true;
    for (size_t i = 0; i < sums_.size(); ++i) {
      const int64_t sum = int64_t{sums_[i]} + biases_.codes[Channel(i)];
      if (sum != static_cast<int32_t>(sum)) return false;
      sums_[i] = static_cast<int32_t>(sum);
    }
    return true;
  }

  // `magnitudes` may be empty.
  WeightedElement At(size_t i, const Sums& magnitudes) const {
    const size_t o = Channel(i);
    const int64_t weight_channel = weight_axis_ == 1
                                       ? static_cast<int64_t>(o) % w_.shape[1]
                                       : static_cast<int64_t>(o);
    WeightedElement element;
    element.accumulator = sums_[i];
    element.products = products_;
    element.product_scale =
        double{ScaleAt(call_.x())} * double{ScaleAt(w_, weight_channel)};
    element.has_real_bias = has_real_bias();
    if (element.has_real_bias) element.bias = double{biases_.real[o]};
    if (IsQuantized(call_.y())) element.output_scale = double{ScaleAt(call_.y())};
    if (!magnitudes.empty()) element.magnitude = magnitudes[i];
    if (!magnitudes.empty() && !biases_.codes.empty())
      element.magnitude += std::abs(int64_t{biases_.codes[o]});
    return element;
  }

  const Sums& sums() const { return sums_; }

 private:
  size_t Channel(size_t i) const {
    return static_cast<size_t>(static_cast<int64_t>(i) / inner_ % channels_);
  }

  const ScalarCall call_;
  const qc_tensor& w_;
  Biases biases_;
  int64_t inner_ = 1;
  int64_t channels_ = 1;
  int weight_axis_ = 0;
  int64_t products_ = 1;
  Sums sums_;
};

struct NamedArithmetic {
  WeightedArithmetic arithmetic;
  const char* name;
  const char* formula;
};

#define IN_CODES "; in codes (e + gamma_2 (|y| + e)) / so + u |code|"
constexpr NamedArithmetic kArithmetics[] = {
    {WeightedArithmetic::kIntegerSums, "int32 sums, float32 multiplier",
     "e = gamma_4 (|acc| sx sw + |b|)" IN_CODES},
    {WeightedArithmetic::kIntegerBias, "int32 sums with a rounded bias",
     "e = gamma_4 (|acc| sx sw + |b|) + sx sw / 2" IN_CODES},
    {WeightedArithmetic::kFixedPoint, "int32 sums, 31-bit multiplier in two roundings",
     "e = gamma_4 (|acc| sx sw + |b|) + sx sw / 2 + so 2^-(r+1), sx sw / so = m "
     "2^(31-r)" IN_CODES},
    {WeightedArithmetic::kFifteenBits, "int32 sums, 15-bit multiplier",
     "e = (gamma_4 + 2^-15) (|acc| sx sw + |b|) + sx sw / 2" IN_CODES},
    {WeightedArithmetic::kFloatSums, "float32 sums",
     "e = gamma_(n+3) (sum |x| |w| + |b|)" IN_CODES},
};
#undef IN_CODES

bool Applies(const NamedArithmetic& named, const ScalarCall& call, bool real_bias) {
  if (named.arithmetic == WeightedArithmetic::kIntegerBias) return real_bias;
  if (named.arithmetic == WeightedArithmetic::kFixedPoint ||
      named.arithmetic == WeightedArithmetic::kFifteenBits)
    return IsQuantized(call.y());
  return true;
}

BoundedValues Evaluate(const ScalarCall& call, const WeightedElements& elements,
                       WeightedArithmetic arithmetic) {
  Sums magnitudes;
  if (arithmetic == WeightedArithmetic::kFloatSums) {
    auto sums = AccumulateMagnitudes(call);
    // Too large for 32 bits: then the sum in real numbers is bounded by nothing here.
    if (!sums) sums = Sums(elements.sums().size(), std::numeric_limits<int32_t>::max());
    magnitudes = std::move(*sums);
  }
  BoundedValues residual;
  if (call.attributes.residual != 0) residual = ReadBounded(*call.input(3));
  BoundedValues values;
  values.reserve(elements.sums().size());
  for (size_t i = 0; i < elements.sums().size(); ++i) {
    Bounded value = WeightedValue(elements.At(i, magnitudes), arithmetic);
    if (!residual.empty()) value = Add(value, residual[i]);
    values.push_back(BoundedFusedActivation(call.attributes, value));
  }
  return values;
}

}  // namespace

double TwoRoundings(double multiplier, double output_scale) {
  const int shift = ToFixedPoint(multiplier).shift;
  return shift < 0 ? std::ldexp(output_scale, shift - 1) : 0;
}

Bounded WeightedValue(const WeightedElement& e, WeightedArithmetic arithmetic) {
  const bool rounds_bias = arithmetic == WeightedArithmetic::kIntegerBias ||
                           arithmetic == WeightedArithmetic::kFixedPoint ||
                           arithmetic == WeightedArithmetic::kFifteenBits;
  if (rounds_bias && e.has_real_bias) {
    // False of NaN, too.
    const bool is_small = std::abs(static_cast<double>(e.accumulator)) +
                              std::abs(e.bias) / e.product_scale <
                          0x1p31 - 1;
    if (!is_small) return {0, std::numeric_limits<double>::infinity()};
  }
  const double sum = static_cast<double>(e.accumulator) * e.product_scale;
  const double size = std::abs(sum) + std::abs(e.bias);
  double error = Gamma(4) * size + kUnderflow;
  switch (arithmetic) {
    case WeightedArithmetic::kIntegerSums:
      break;
    case WeightedArithmetic::kFifteenBits:
      error += 0x1p-15 * size;
      if (e.has_real_bias) error += e.product_scale / 2;
      break;
    case WeightedArithmetic::kFixedPoint:
      if (e.output_scale > 0)
        error += TwoRoundings(e.product_scale / e.output_scale, e.output_scale);
      [[fallthrough]];
    case WeightedArithmetic::kIntegerBias:
      if (e.has_real_bias) error += e.product_scale / 2;
      break;
    case WeightedArithmetic::kFloatSums:
      error =
          Gamma(static_cast<double>(e.products) + 3) *
              (static_cast<double>(e.magnitude) * e.product_scale + std::abs(e.bias)) +
          kUnderflow;
      break;
  }
  return {sum + e.bias, error};
}

std::vector<ArithmeticBound> WeightedBounds(const ScalarCall& call) {
  if (call.attributes.dynamic != 0) return DynamicLinearBounds(call);
  auto elements = std::make_shared<WeightedElements>(call);
  if (static_cast<double>(ElementCount(call.y())) *
          static_cast<double>(elements->products()) >
      static_cast<double>(kMostProducts)) {
    return {};
  }
  if (!elements->AccumulateWithBias()) return {};
  if (call.y().dtype == QC_S32 && !IsQuantized(call.y())) {
    return {{"int32 sums", "e = 0: sums of integers are exact",
             "n = " + std::to_string(elements->products()), [elements] {
               BoundedValues values;
               for (const int32_t sum : elements->sums()) values.push_back(Exact(sum));
               return std::vector<BoundedValues>{std::move(values)};
             }}};
  }
  const std::string inputs =
      "n = " + std::to_string(elements->products()) + ", " + ScaleTexts(call);
  std::vector<ArithmeticBound> bounds;
  for (const NamedArithmetic& named : kArithmetics) {
    if (!Applies(named, call, elements->has_real_bias())) continue;
    bounds.push_back(RealBound(call, named.name, named.formula, inputs,
                               [call, elements, arithmetic = named.arithmetic] {
                                 return Evaluate(call, *elements, arithmetic);
                               }));
  }
  return bounds;
}

}  // namespace qconform
