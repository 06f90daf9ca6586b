// One element at a time, dequantized: every operation rounds once, a function by as many
// units in the last place as OpenCL grants it (bounded_value.h).
#include <algorithm>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"
#include "reference/numerics/error_bound/bounded_activation.h"
#include "reference/numerics/error_bound/weighted_bound.h"

namespace qconform {
namespace {

// Where the elements of a tensor lie that is broadcast to `shape`.
class Broadcast {
 public:
  Broadcast(const qc_tensor& from, const std::vector<int64_t>& shape)
      : shape_(shape), strides_(shape.size(), 0) {
    const size_t offset = shape.size() - static_cast<size_t>(from.rank);
    int64_t step = 1;
    for (int i = from.rank - 1; i >= 0; --i) {
      if (from.shape[i] != 1) strides_[offset + static_cast<size_t>(i)] = step;
      step *= from.shape[i];
    }
  }
  size_t operator()(int64_t index) const {
    int64_t at = 0;
    for (size_t d = shape_.size(); d-- > 0;) {
      at += index % shape_[d] * strides_[d];
      index /= shape_[d];
    }
    return static_cast<size_t>(at);
  }

 private:
  const std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
};

Bounded Combine(const ScalarCall& call, const Bounded& a, Bounded b) {
  if (call.kind == QC_MUL) return Multiply(a, b);
  const double alpha =
      call.attributes.alpha == 0.0f ? 1.0 : double{call.attributes.alpha};
  if (alpha != 1.0) b = Multiply(b, Exact(alpha));
  return call.kind == QC_SUB ? Subtract(a, b) : Add(a, b);
}

BoundedValues Binary(const ScalarCall& call) {
  const std::vector<int64_t> shape = ShapeOf(call.y());
  const BoundedValues a = ReadBounded(call.x());
  BoundedValues b = {Exact(double{call.attributes.scalar})};
  qc_tensor number{};
  if (call.input(1) != nullptr) b = ReadBounded(*call.input(1));
  const Broadcast a_at(call.x(), shape);
  const Broadcast b_at(call.input(1) != nullptr ? *call.input(1) : number, shape);
  const bool swapped = call.input(1) == nullptr && call.attributes.scalar_first != 0;
  BoundedValues values;
  for (int64_t i = 0; i < ElementCount(call.y()); ++i) {
    const Bounded& first = a[a_at(i)];
    const Bounded& second = b[b_at(i)];
    values.push_back(
        BoundedFusedActivation(call.attributes, swapped ? Combine(call, second, first)
                                                        : Combine(call, first, second)));
  }
  return values;
}

BoundedValues Unary(const ScalarCall& call) {
  BoundedValues values = ReadBounded(call.x());
  for (Bounded& value : values)
    value = BoundedActivation(call.kind, call.attributes, value);
  return values;
}

// The channel of dimension 1.
size_t ChannelAt(const qc_tensor& x, size_t index) {
  const auto inner = static_cast<size_t>(SizeOf(x, 2, x.rank));
  return index / inner % static_cast<size_t>(x.shape[1]);
}

BoundedValues Prelu(const ScalarCall& call) {
  const BoundedValues slopes = ReadBounded(*call.input(1));
  BoundedValues values = ReadBounded(call.x());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].value > 0) continue;
    values[i] =
        Multiply(values[i], slopes[slopes.size() == 1 ? 0 : ChannelAt(call.x(), i)]);
  }
  return values;
}

// a = gamma / sqrt(variance + epsilon); x a + (beta - mean a), or (x - mean) a + beta:
// whichever, each of the three terms is rounded as often as the first form does it.
BoundedValues BatchNorm(const ScalarCall& call) {
  const auto parameter = [&](size_t i, double fallback) {
    if (call.input(i) != nullptr) return ReadBounded(*call.input(i));
    return BoundedValues(static_cast<size_t>(call.x().shape[1]), Exact(fallback));
  };
  const BoundedValues gamma = parameter(1, 1);
  const BoundedValues beta = parameter(2, 0);
  const BoundedValues mean = parameter(3, 0);
  const BoundedValues variance = parameter(4, 1);
  BoundedValues factor;
  for (size_t c = 0; c < gamma.size(); ++c) {
    const Bounded root = Sqrt(Add(variance[c], Exact(double{call.attributes.epsilon})));
    factor.push_back(Multiply(gamma[c], Divide(Exact(1), root)));
  }
  BoundedValues values = ReadBounded(call.x());
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t c = ChannelAt(call.x(), i);
    BoundedSum sum;
    sum.Add(Multiply(values[i], factor[c]));
    sum.Add(Multiply(Exact(-mean[c].value), factor[c]));
    sum.Add(beta[c]);
    values[i] = BoundedFusedActivation(call.attributes, sum.Total());
  }
  return values;
}

}  // namespace

// Fixed point where codes become codes, in int32: the float32 values with what its
// multipliers cost. add and sub: of 20 bits at least behind the point of the larger one
// (QNNPACK 21, TensorFlow Lite 20 and two roundings an operand); mul and requantize: a
// 31-bit one in two roundings.
constexpr char kFixedSum[] = "fixed point of 20 bits";
constexpr char kFixedProduct[] = "31-bit multiplier in two roundings";

bool HasFixedPoint(const ScalarCall& call) {
  const auto per_tensor = [](const qc_tensor* tensor) {
    return tensor != nullptr && IsCode8(*tensor) && tensor->quantized_axis < 0;
  };
  if (call.kind == QC_REQUANTIZE) return per_tensor(&call.x()) && per_tensor(&call.y());
  const bool binary = call.kind == QC_ADD || call.kind == QC_SUB || call.kind == QC_MUL;
  return binary && per_tensor(&call.x()) && per_tensor(call.input(1)) &&
         per_tensor(&call.y());
}

double FixedPointError(const ScalarCall& call) {
  const double x = double{ScaleAt(call.x())};
  const double so = double{ScaleAt(call.y())};
  if (call.kind == QC_REQUANTIZE) return TwoRoundings(x / so, so);
  const double b = double{ScaleAt(*call.input(1))};
  if (call.kind == QC_MUL) return TwoRoundings(x * b / so, so);
  // 2^-20 of codes of 8 bits, and two roundings an operand and of their sum.
  return std::max(x, b) * (2 * 255 * 0x1p-20 + 0x1p-17);
}

std::vector<ArithmeticBound> ElementwiseBounds(const ScalarCall& call) {
  BoundedValues (*evaluate)(const ScalarCall&) = Unary;
  std::string formula = "e = u |x| |f'(x)| + k u |f(x)|, k roundings of f";
  switch (call.kind) {
    case QC_ADD:
    case QC_SUB:
      evaluate = Binary;
      formula = "e = gamma_2 (|a| + |b|)";
      break;
    case QC_MUL:
      evaluate = Binary;
      formula = "e = gamma_3 |a b|";
      break;
    case QC_PRELU:
      evaluate = Prelu;
      formula = "e = gamma_3 |x slope|";
      break;
    case QC_BATCH_NORM:
      evaluate = BatchNorm;
      formula = "e = gamma_16 (|x a| + |mean a| + |beta|), a = gamma / sqrt(var + eps)";
      break;
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
      formula = "e = u |x|";
      break;
    default:
      break;
  }
  const std::string in_codes = "; in codes (e + gamma_2 (|y| + e)) / so + u |code|";
  std::vector<ArithmeticBound> bounds;
  bounds.push_back(RealBound(call, "float32, element by element", formula + in_codes,
                             ScaleTexts(call),
                             [call, evaluate] { return evaluate(call); }));
  if (!HasFixedPoint(call)) return bounds;
  const bool sum = call.kind == QC_ADD || call.kind == QC_SUB;
  const char* more = sum ? " + 2^-20 510 max(sx, sw) + 2^-17 max(sx, sw)"
                         : " + so 2^-(r+1), multiplier m 2^-r";
  bounds.push_back(RealBound(call, sum ? kFixedSum : kFixedProduct,
                             formula + more + in_codes, ScaleTexts(call),
                             [call, evaluate] {
                               BoundedValues values = evaluate(call);
                               const double error = FixedPointError(call);
                               for (Bounded& value : values) value.error += error;
                               return values;
                             }));
  return bounds;
}

}  // namespace qconform
