#include "reference/convert/data_difference.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <unordered_set>

#include "reference/convert/calibrated_scale.h"
#include "reference/numerics/value_range.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/standalone_module.h"

namespace qconform {
namespace {

// The range of a per tensor observer; nothing for other classes.
std::optional<ValueRange> RangeOf(const Observer& observer) {
  const OrderedMap<Tensor> buffers = observer.Buffers();
  const std::string prefix = observer.IsFakeQuantize() ? "activation_post_process." : "";
  const Tensor* min = buffers.Find(prefix + "min_val");
  const Tensor* max = buffers.Find(prefix + "max_val");
  if (min == nullptr || max == nullptr || min->numel() != 1) return std::nullopt;
  return ValueRange{static_cast<float>(min->ValueAt(0)),
                    static_cast<float>(max->ValueAt(0))};
}

// Finite ends whose difference is not.
bool OverflowsFloat32(const Observer& observer) {
  const std::optional<ValueRange> range = RangeOf(observer);
  return range && !IsSymmetric(observer.qscheme) && std::isfinite(range->min) &&
         std::isfinite(range->max) && !std::isfinite(range->max - range->min);
}

// NaN or infinity in what decides the range.
bool HasNonFiniteRange(const Observer& observer) {
  const OrderedMap<Tensor> buffers = observer.Buffers();
  const std::string prefix = observer.IsFakeQuantize() ? "activation_post_process." : "";
  const Tensor* min = buffers.Find(prefix + "min_val");
  const Tensor* max = buffers.Find(prefix + "max_val");
  for (int64_t i = 0; min != nullptr && max != nullptr && i < min->numel(); ++i) {
    const double low = min->ValueAt(i);
    const double high = max->ValueAt(i);
    const bool untouched = low > high && std::isinf(low) && std::isinf(high);
    if (!untouched && !(std::isfinite(low) && std::isfinite(high))) return true;
  }
  return false;
}

// An unsigned symmetric observer that saw nothing.
bool IsEmptyAndShifted(const Observer& observer) {
  if (!IsSymmetric(observer.qscheme) ||
      (observer.dtype != DType::kQUInt8 && observer.dtype != DType::kUInt8 &&
       observer.dtype != DType::kUInt16)) {
    return false;
  }
  const OrderedMap<Tensor> buffers = observer.Buffers();
  const Tensor* min = buffers.Find(
      observer.IsFakeQuantize() ? "activation_post_process.min_val" : "min_val");
  return min != nullptr && (min->numel() == 0 || std::isinf(min->ValueAt(0))) &&
         observer.NonFiniteCount() == 0;
}

// What is wrong with what the observer saw, if anything.
void VisitData(const Node& node, const Observer& observer, Mode mode,
               ModeDifferences& differences) {
  const std::string subject =
      node.args().empty() || node.args()[0].AsNode() == nullptr
          ? node.name()
          : node.name() + " on " + node.args()[0].AsNode()->name();
  if (OverflowsFloat32(observer)) {
    differences.push_back({"range_overflow", subject,
                           "subtracts the ends of the range in float32, which overflows: "
                           "the scale is infinite",
                           "subtracts them in double"});
  } else if (HasNonFiniteRange(observer)) {
    differences.push_back({"non_finite", subject,
                           "takes NaN or infinity into the range: the scale is not "
                           "finite",
                           "leaves such elements out and counts them"});
  } else if (const int64_t count = observer.NonFiniteCount(); count > 0) {
    const bool is_histogram = observer.class_name.ends_with("HistogramObserver");
    differences.push_back(
        {"non_finite", subject,
         is_histogram ? "leaves out infinities and raises RuntimeError on NaN"
                      : "takes NaN or infinity into the range",
         fmt::format("leaves out elements that are NaN or infinite; {} {} left out",
                     count,
                     mode == Mode::kStrict || is_histogram ? "were" : "would be")});
  } else if (IsEmptyAndShifted(observer)) {
    differences.push_back({"nothing_observed", subject,
                           "gives a symmetric observer that saw nothing the zero point 0",
                           "the middle of its codes"});
  }
}

}  // namespace

ModeDifferences DataDifferences(const Prepared& prepared) {
  ModeDifferences differences;
  std::unordered_set<const Observer*> visited;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> module = prepared.module.FindModule(node.target());
    const Prepared* inner = module ? ObservedStandaloneOf(*module) : nullptr;
    if (inner != nullptr) {
      for (ModeDifference& difference : DataDifferences(*inner)) {
        difference.subject.insert(0, node.name() + ": ");
        differences.push_back(std::move(difference));
      }
    }
    const auto observer = ObserverOf(module);
    if (observer == nullptr || !visited.insert(observer.get()).second) continue;
    VisitData(node, *observer, prepared.options.mode, differences);
  }
  for (const auto& [name, reason] : ScalesOutOfBounds(prepared)) {
    differences.push_back({"scale_out_of_bounds", name, "quantizes although " + reason,
                           "leaves the pattern float"});
  }
  return differences;
}

}  // namespace qconform
