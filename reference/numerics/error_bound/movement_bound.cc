// Operators whose elements are input elements or a fill, and upsampling.
//
// Where an element comes from is asked of the definition itself, which moves the input's
// indices instead of its codes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/error_bound/bound_call.h"
#include "reference/numerics/resampling.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {
namespace {

// For every output element 1 + the index of its input element, inputs one behind the
// other; 0 for the fill.
std::vector<int32_t> Sources(const ScalarCall& call) {
  std::vector<std::vector<int32_t>> indices;
  std::vector<qc_tensor> tensors;
  int32_t next = 1;
  for (const qc_tensor* input : call.inputs) {
    indices.emplace_back(static_cast<size_t>(ElementCount(*input)));
    std::iota(indices.back().begin(), indices.back().end(), next);
    next += static_cast<int32_t>(indices.back().size());
    tensors.push_back(DenseTensor(QC_S32, ShapeOf(*input), indices.back().data()));
  }
  std::vector<int32_t> sources(static_cast<size_t>(ElementCount(call.y())));
  qc_tensor y = DenseTensor(QC_S32, ShapeOf(call.y()), sources.data());
  qc_attributes attributes = call.attributes;
  attributes.size = sizeof attributes;
  attributes.scalar = 0.0f;
  std::vector<const qc_tensor*> inputs;
  for (const qc_tensor& tensor : tensors) inputs.push_back(&tensor);
  qc_tensor* outputs[] = {&y};
  const qc_tensor* described[] = {&y};
  qc_descriptor descriptor = Descriptor(call.kind, attributes, inputs, described);
  descriptor.scheme = kCopySchemeName;
  RunScalarOperator(descriptor, inputs, outputs);
  return sources;
}

BoundedValues Moved(const ScalarCall& call) {
  BoundedValues elements = {Exact(double{call.attributes.scalar})};
  for (const qc_tensor* input : call.inputs) {
    const BoundedValues values = ReadBounded(*input);
    elements.insert(elements.end(), values.begin(), values.end());
  }
  BoundedValues values;
  for (const int32_t source : Sources(call))
    values.push_back(elements[static_cast<size_t>(source)]);
  return values;
}

// Linear along one axis of `size` elements, `inner` apart: element i lies at `position`,
// off by a few roundings; the result is continuous in the position, so that it moves by
// no more than the steepest neighbour slope times that.
struct LinearAxis {
  int64_t size;
  int64_t target;
  double scale;
  bool align_corners;

  Bounded PositionOf(int64_t i) const {
    if (size == target) return Exact(static_cast<double>(i));
    const double at = static_cast<double>(i);
    if (align_corners) return {scale * at, Gamma(3) * scale * at};
    // The scale (2), its product, the difference; i + 0.5 is exact.
    const double product = scale * (at + 0.5);
    const double position = std::max(product - 0.5, 0.0);
    return {position, Gamma(4) * (product + 0.5)};
  }

  Bounded At(const Bounded* x, int64_t inner, int64_t i) const {
    const Bounded position = PositionOf(i);
    const int64_t low =
        std::min(static_cast<int64_t>(std::floor(position.value)), size - 1);
    const int64_t high = std::min(low + 1, size - 1);
    const double above = std::min(position.value - static_cast<double>(low), 1.0);
    if (size == target) return x[low * inner];
    const Bounded& a = x[low * inner];
    const Bounded& b = x[high * inner];
    double slope = std::abs(b.value - a.value) + a.error + b.error;
    for (const int64_t beside : {low - 1, high + 1}) {
      if (beside < 0 || beside >= size) continue;
      const Bounded& end = beside < low ? a : b;
      const Bounded& other = x[beside * inner];
      slope =
          std::max(slope, std::abs(other.value - end.value) + other.error + end.error);
    }
    // Two products and their sum; a weight is 1 - the other.
    const double exact = (1 - above) * a.value + above * b.value;
    const double size_of = (1 - above) * a.magnitude() + above * b.magnitude();
    const double error = (1 - above) * a.error + above * b.error;
    return {exact, error + position.error * slope + Gamma(3) * size_of + kUnderflow};
  }
};

LinearAxis AxisOf(const ScalarCall& call, int axis) {
  const int64_t size = call.x().shape[axis];
  const int64_t target = call.y().shape[axis];
  const double factor = call.attributes.scale_factor[axis - 2];
  const bool align = call.attributes.align_corners != 0;
  double scale =
      factor > 0 ? 1 / factor : static_cast<double>(size) / static_cast<double>(target);
  if (align) {
    scale =
        target > 1 ? static_cast<double>(size - 1) / static_cast<double>(target - 1) : 0;
  }
  return {size, target, scale, align};
}

BoundedValues Linear(const ScalarCall& call) {
  BoundedValues values = ReadBounded(call.x());
  int64_t inner = 1;
  for (int i = call.x().rank - 1; i >= 2; --i) {
    const LinearAxis axis = AxisOf(call, i);
    const int64_t plane = axis.size * inner;
    const int64_t outer = static_cast<int64_t>(values.size()) / plane;
    BoundedValues resized;
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t t = 0; t < axis.target; ++t)
        for (int64_t k = 0; k < inner; ++k)
          resized.push_back(axis.At(values.data() + o * plane + k, inner, t));
    inner *= axis.target;
    values = std::move(resized);
  }
  return values;
}

constexpr char kInCodes[] = "; in codes (e + gamma_2 (|y| + e)) / so + u |code|";

}  // namespace

std::vector<ArithmeticBound> MovementBounds(const ScalarCall& call) {
  double elements = static_cast<double>(ElementCount(call.y()));
  for (const qc_tensor* input : call.inputs)
    elements += static_cast<double>(ElementCount(*input));
  if (elements >= 0x1p31) return {};
  return {RealBound(call, "elements moved", std::string("e = u |x|") + kInCodes,
                    ScaleTexts(call), [call] { return Moved(call); })};
}

std::vector<ArithmeticBound> UpsampleBounds(const ScalarCall& call) {
  if (call.attributes.interpolation == QC_INTERPOLATION_NEAREST)
    return MovementBounds(call);
  return {RealBound(call, "float32, axis by axis",
                    std::string("e by running error: position p off by gamma_4 (p + 1) "
                                "times the slope, gamma_3 sum w |x| an axis") +
                        kInCodes,
                    ScaleTexts(call), [call] { return Linear(call); })};
}

}  // namespace qconform
