#include "conformance/compare/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/compare/exact.h"
#include "conformance/host/abi_view.h"
#include "reference/numerics/error_bound/error_bound.h"

namespace qconform {
namespace {

// Bounds take 16 bytes an element; more are judged exactly only.
constexpr int64_t kMostElements = int64_t{1} << 26;

// The call with its data as the structs of the ABI.
class CallWithData {
 public:
  explicit CallWithData(const OperatorCall& call)
      : view_(call, MemoryFormat::kContiguous) {
    view_.descriptor().scheme = nullptr;
    view_.PointAtData();
  }

  std::vector<ArithmeticBound> Bounds(std::string& objection) {
    return ErrorBounds(view_.descriptor(), view_.inputs(), &objection);
  }

 private:
  AbiView view_;
};

std::string FirstLine(const OperatorCall& call, size_t output, int64_t index, double got,
                      const Bounded& bound, const AllowedCodes* codes) {
  const std::string place = ElementName(call.outputs[output], output, index);
  if (codes == nullptr)
    return fmt::format(
        "{} got {:.9g}, exact {:.9g}, allowed {:.9g} to {:.9g} (e = {:.2g})", place, got,
        bound.value, bound.value - bound.error, bound.value + bound.error, bound.error);
  return fmt::format(
      "{} got {}, exact {:.9g}, {:.2g} from the tie, allowed {} (e = {:.2g} codes)",
      place, got, bound.value, DistanceToTie(bound.value),
      codes->least == codes->most ? std::to_string(codes->least)
                                  : fmt::format("{} to {}", codes->least, codes->most),
      bound.error);
}

bool IsTooLarge(const OperatorCall& call, std::string& objection) {
  int64_t elements = 0;
  for (const CallTensor& output : call.outputs) elements += NumElements(output.shape);
  for (const auto& input : call.inputs)
    if (input) elements += NumElements(input->shape);
  objection = "there are more than 2^26 elements";
  return elements > kMostElements;
}

class Comparer {
 public:
  Comparer(const OperatorCall& call, const std::vector<Bytes>& got,
           const std::vector<Bytes>& want)
      : call_(call), got_(got), want_(want) {}

  BoundComparison Compare(const ArithmeticBound& bound) {
    comparison_ = {};
    comparison_.arithmetic = bound.name;
    comparison_.formula = bound.formula;
    comparison_.inputs = bound.inputs;
    const std::vector<BoundedValues> outputs = bound.evaluate();
    for (size_t o = 0; o < outputs.size(); ++o)
      for (size_t i = 0; i < outputs[o].size(); ++i)
        CompareElement(o, static_cast<int64_t>(i), outputs[o][i]);
    if (comparison_.elements > 0)
      comparison_.noise /= static_cast<double>(comparison_.elements);
    return comparison_;
  }

 private:
  void CompareElement(size_t o, int64_t i, const Bounded& bound) {
    const CallTensor& y = call_.outputs[o];
    const size_t item = AbiItemSize(y.dtype);
    const size_t at = static_cast<size_t>(i) * item;
    const bool same = std::memcmp(&got_[o][at], &want_[o][at], item) == 0;
    ++comparison_.elements;
    comparison_.differing += same ? 0 : 1;
    const double got = ElementAt(y, got_[o], i);
    const double off = got - ElementAt(y, want_[o], i);
    if (!same) comparison_.noise += off * off;
    if (!std::isfinite(bound.value) || std::isnan(bound.error)) {
      // No number that a bound could be about: an infinity, or NaN.
      if (!same)
        Outside(o, i,
                fmt::format("{} got {}, exact {}", ElementName(y, o, i), got,
                            ElementAt(y, want_[o], i)));
      return;
    }
    comparison_.widest = std::max(comparison_.widest, bound.error);
    if (y.dtype == QC_F32) {
      const bool inside = std::abs(got - bound.value) <= bound.error;
      comparison_.unbounded += std::isinf(bound.error) ? 1 : 0;
      if (!inside) Outside(o, i, FirstLine(call_, o, i, got, bound, nullptr));
      return;
    }
    const CodeBounds all = BoundsOf(y);
    const AllowedCodes codes = CodesWithin(bound, all.min, all.max);
    comparison_.choices += codes.count() > 1 ? 1 : 0;
    comparison_.unbounded += codes.least == all.min && codes.most == all.max ? 1 : 0;
    if (!codes.Holds(static_cast<int64_t>(got)))
      Outside(o, i, FirstLine(call_, o, i, got, bound, &codes));
  }

  void Outside(size_t output, int64_t index, std::string line) {
    if (comparison_.outside++ > 0) return;
    comparison_.output = output;
    comparison_.index = index;
    comparison_.first = std::move(line);
  }

  const OperatorCall& call_;
  const std::vector<Bytes>& got_;
  const std::vector<Bytes>& want_;
  BoundComparison comparison_;
};

}  // namespace

std::optional<BoundComparison> CompareWithinBound(const OperatorCall& call,
                                                  const std::vector<Bytes>& got,
                                                  const std::vector<Bytes>& want,
                                                  std::string& objection) {
  if (IsTooLarge(call, objection)) return std::nullopt;
  CallWithData data(call);
  std::optional<BoundComparison> best;
  for (const ArithmeticBound& bound : data.Bounds(objection)) {
    BoundComparison comparison = Comparer(call, got, want).Compare(bound);
    if (!best || comparison.outside < best->outside) best = std::move(comparison);
    if (best->holds()) break;
  }
  return best;
}

std::string BoundText(const BoundComparison& comparison) {
  return fmt::format("{}: {}, u = 2^-24, gamma_k = k u / (1 - k u); {}; e at most {:.2g}",
                     comparison.arithmetic, comparison.formula, comparison.inputs,
                     comparison.widest);
}

std::string BoundTextOf(const OperatorCall& call) {
  std::string objection;
  if (IsTooLarge(call, objection)) return "none: " + objection;
  CallWithData data(call);
  const std::vector<ArithmeticBound> bounds = data.Bounds(objection);
  if (bounds.empty()) return "none: " + objection;
  return fmt::format("{}: {}, u = 2^-24, gamma_k = k u / (1 - k u); {}", bounds[0].name,
                     bounds[0].formula, bounds[0].inputs);
}

}  // namespace qconform
