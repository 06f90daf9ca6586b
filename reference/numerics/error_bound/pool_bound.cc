// MAX_POOL, AVG_POOL, ADAPTIVE_AVG_POOL and MEAN.
#include <algorithm>
#include <array>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"
#include "reference/numerics/error_bound/weighted_bound.h"
#include "reference/numerics/window.h"

namespace qconform {
namespace {

// One window along one axis: the input's elements [begin, end) by `step`, and the length
// that an average divides by.
struct Extent {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t step = 1;
  int64_t divisor = 1;
};

Extent AdaptiveExtent(int64_t in, int64_t out, int64_t at) {
  const int64_t begin = at * in / out;
  const int64_t end = ((at + 1) * in + out - 1) / out;
  return {begin, end, 1, end - begin};
}

Extent WindowExtent(const WindowGeometry& g, size_t axis, int64_t at, bool padded) {
  const int64_t step = g.dilation[axis];
  int64_t begin = at * g.stride[axis] - g.before[axis];
  const int64_t reach = begin + step * (g.kernel[axis] - 1) + 1;
  // Of ceil mode's last window only what lies in the padding counts.
  const int64_t counted = std::min(reach, g.input[axis] + g.after[axis]) - begin;
  const int64_t end = std::min(reach, g.input[axis]);
  while (begin < 0) begin += step;
  return {begin, end, step, padded ? counted : end - begin};
}

// Sum over a window, 0 where it lies over padding, and its divisor: gamma_n sum |x| for
// the dequantized elements and n - 1 sums, and a division an axis of an adaptive window.
struct Pooling {
  const ScalarCall& call;
  bool adaptive;
  WindowGeometry g;

  std::array<Extent, 3> ExtentsAt(int64_t at) const {
    const Spatial place = {at / (g.output[1] * g.output[2]),
                           at / g.output[2] % g.output[1], at % g.output[2]};
    std::array<Extent, 3> extents;
    for (size_t i = 0; i < 3; ++i) {
      extents[i] =
          adaptive ? AdaptiveExtent(g.input[i], g.output[i], place[i])
                   : WindowExtent(g, i, place[i], call.attributes.count_include_pad != 0);
    }
    return extents;
  }

  template <typename Visit>
  void Walk(const std::array<Extent, 3>& e, const Visit& visit) const {
    for (int64_t i = e[0].begin; i < e[0].end; i += e[0].step)
      for (int64_t j = e[1].begin; j < e[1].end; j += e[1].step)
        for (int64_t k = e[2].begin; k < e[2].end; k += e[2].step)
          visit((i * g.input[1] + j) * g.input[2] + k);
  }

  Bounded Average(const Bounded* plane, int64_t at) const {
    const std::array<Extent, 3> extents = ExtentsAt(at);
    BoundedSum sum;
    Walk(extents, [&](int64_t i) { sum.Add(plane[i]); });
    Bounded total = sum.Total();
    int64_t divisor = 1;
    for (const Extent& extent : extents) divisor *= extent.divisor;
    if (call.attributes.divisor_override > 0 && !adaptive)
      divisor = call.attributes.divisor_override;
    // An adaptive window may be averaged axis by axis.
    const double divisions = adaptive ? 6 : 2;
    return Divide(total, Exact(static_cast<double>(divisor)), divisions);
  }

  Bounded Largest(const Bounded* plane, int64_t at) const {
    Bounded largest{-std::numeric_limits<double>::infinity(), 0};
    Walk(ExtentsAt(at), [&](int64_t i) {
      if (plane[i].value > largest.value) largest = plane[i];
    });
    return largest;
  }
};

BoundedValues Pool(const ScalarCall& call) {
  Pooling pooling{call, call.kind == QC_ADAPTIVE_AVG_POOL, {}};
  WindowGeometry& g = pooling.g;
  pooling.adaptive ? ReadAdaptiveWindows(call, g) : ReadWindows(call, g);
  const BoundedValues x = ReadBounded(call.x());
  const int64_t input_size = g.input[0] * g.input[1] * g.input[2];
  const int64_t output_size = g.output[0] * g.output[1] * g.output[2];
  BoundedValues values;
  for (int64_t at = 0; at < g.planes * output_size; ++at) {
    const Bounded* plane = x.data() + at / output_size * input_size;
    values.push_back(call.kind == QC_MAX_POOL ? pooling.Largest(plane, at % output_size)
                                              : pooling.Average(plane, at % output_size));
  }
  return values;
}

BoundedValues Mean(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const BoundedValues elements = ReadBounded(x);
  std::vector<BoundedSum> sums(static_cast<size_t>(ElementCount(call.y())));
  int64_t width = 1;
  for (int i = 0; i < x.rank; ++i)
    if ((call.attributes.axis_mask >> i & 1u) != 0) width *= x.shape[i];
  for (size_t at = 0; at < elements.size(); ++at) {
    auto rest = static_cast<int64_t>(at);
    int64_t to = 0;
    int64_t step = 1;
    for (int i = x.rank - 1; i >= 0; --i) {
      const int64_t place = rest % x.shape[i];
      rest /= x.shape[i];
      if ((call.attributes.axis_mask >> i & 1u) != 0) continue;
      to += place * step;
      step *= x.shape[i];
    }
    sums[static_cast<size_t>(to)].Add(elements[at]);
  }
  BoundedValues values;
  for (const BoundedSum& sum : sums)
    values.push_back(DivideBy(sum.Total(), static_cast<double>(width)));
  return values;
}

constexpr char kInCodes[] = "; in codes (e + gamma_2 (|y| + e)) / so + u |code|";

std::string WindowText(const ScalarCall& call) {
  int64_t n = 1;
  for (int i = 0; i < call.attributes.spatial_rank; ++i) n *= call.attributes.kernel[i];
  if (call.kind == QC_ADAPTIVE_AVG_POOL) {
    const int spatial = call.attributes.spatial_rank;
    for (int i = call.x().rank - spatial; i < call.x().rank; ++i) {
      const int64_t out = std::max<int64_t>(call.y().shape[i], 1);
      n *= (call.x().shape[i] + out - 1) / out;
    }
  }
  return "n = " + std::to_string(n) + ", " + ScaleTexts(call);
}

// Codes summed up in int32, then one multiplier: rounded in float32, or in fixed point
// twice.
struct IntegerSums {
  const char* name;
  const char* formula;
  bool fixed_point;
};
constexpr IntegerSums kIntegerSums[] = {
    {"int32 sums, float32 multiplier", "e = gamma_3 |y|", false},
    {"int32 sums, 31-bit multiplier in two roundings",
     "e = gamma_3 |y| + so 2^-(r+1), sx / (n so) = m 2^-r", true},
};

// `divisor` 0: windows of several sizes, for which nobody has multipliers.
std::vector<ArithmeticBound> AverageBounds(const ScalarCall& call,
                                           const std::string& inputs, int64_t divisor,
                                           BoundedValues (*evaluate)(const ScalarCall&)) {
  std::vector<ArithmeticBound> bounds;
  const bool codes = IsCode8(call.x()) && call.x().quantized_axis < 0;
  const bool to_codes = IsQuantized(call.y()) && call.y().quantized_axis < 0;
  for (const IntegerSums& sums : kIntegerSums) {
    if (!codes || (sums.fixed_point && (!to_codes || divisor == 0))) continue;
    double more = 0;
    if (sums.fixed_point) {
      const double so = double{ScaleAt(call.y())};
      more =
          TwoRoundings(double{ScaleAt(call.x())} / static_cast<double>(divisor) / so, so);
    }
    bounds.push_back(RealBound(call, sums.name, std::string(sums.formula) + kInCodes,
                               inputs, [call, evaluate, more] {
                                 BoundedValues values = evaluate(call);
                                 for (Bounded& value : values)
                                   value = Rounded(value.value, more, 3);
                                 return values;
                               }));
  }
  bounds.push_back(RealBound(call, "float32 sums",
                             std::string("e = gamma_(n+2) sum |x| / divisor") + kInCodes,
                             inputs, [call, evaluate] { return evaluate(call); }));
  return bounds;
}

}  // namespace

std::vector<ArithmeticBound> MeanBounds(const ScalarCall& call) {
  int64_t width = 1;
  for (int i = 0; i < call.x().rank; ++i)
    if ((call.attributes.axis_mask >> i & 1u) != 0) width *= call.x().shape[i];
  return AverageBounds(call, "n = " + std::to_string(width) + ", " + ScaleTexts(call),
                       width, Mean);
}

std::vector<ArithmeticBound> PoolBounds(const ScalarCall& call) {
  if (call.kind != QC_MAX_POOL) {
    return AverageBounds(call, WindowText(call), 0, Pool);
  }
  return {RealBound(call, "codes compared", std::string("e = u |x|") + kInCodes,
                    WindowText(call), [call] { return Pool(call); })};
}

}  // namespace qconform
