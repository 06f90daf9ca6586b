// Prepared models take over what the record says their observers gave.
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <map>

#include "cli/parity/fx_stages.h"
#include "cli/parity/inner_observers.h"
#include "cli/parity/recorded_observer.h"
#include "cli/parity/scale_error.h"
#include "cli/parity/zero_point_error.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/share_observers.h"

namespace qconform::parity {
namespace {

// The ranges and parameters that the record says training left; true if it holds them.
bool TakeTrainedRange(Observer& observer, const ordered_json& instance) {
  if (!observer.IsFakeQuantize() || !instance.contains("observer") ||
      !instance.at("observer").contains("min_val")) {
    return false;
  }
  const ordered_json& inner = instance.at("observer");
  observer.SetBuffer("activation_post_process.min_val",
                     TensorFromJson(inner.at("min_val"), "observers"));
  observer.SetBuffer("activation_post_process.max_val",
                     TensorFromJson(inner.at("max_val"), "observers"));
  observer.SetBuffer("scale", TensorFromJson(instance.at("scale_buf"), "observers"));
  observer.SetBuffer("zero_point",
                     TensorFromJson(instance.at("zero_point_buf"), "observers"));
  return true;
}

// Takes the parameters of the quantize nodes in a converted graph's record for the
// observers that became them, in graph order, where they lie within the bounds.
std::optional<Difference> TakeConvertedQparams(GraphModule& module,
                                               const ordered_json& converted,
                                               ObserverBounds& bounds,
                                               RecordReport& report) {
  std::map<std::string, std::string> targets;  // of get_attr nodes
  for (const ordered_json& node : converted.at("graph")) {
    targets[node.at("name")] = node.at("target");
  }
  // An observer becomes a quantize node of the same input; observers that convert
  // drops have none.
  std::map<std::string, std::deque<std::pair<Tensor, Tensor>>> parameters;
  for (const ordered_json& node : converted.at("graph")) {
    if (node.at("target") != "torch.quantize_per_tensor") continue;
    const auto attribute = [&](size_t index) {
      const std::string name = node.at("args")[index].at("n").get<std::string>();
      return TensorFromJson(converted.at("attrs").at(targets.at(name)), "reference");
    };
    parameters[node.at("args")[0].at("n")].emplace_back(attribute(1), attribute(2));
  }
  std::map<std::string, size_t> left;  // observers of an input
  for (const Node& node : module.graph.nodes()) {
    if (IsObserverNode(module, &node)) ++left[node.args()[0].AsNode()->name()];
  }
  for (const Node& node : module.graph.nodes()) {
    if (!IsObserverNode(module, &node)) continue;
    const std::string& input = node.args()[0].AsNode()->name();
    --left[input];
    const auto called = module.FindModule(node.target());
    const std::shared_ptr<Observer> observer = ObserverOf(called);
    if (observer->dtype == DType::kFloat32 || observer->ch_axis >= 0) continue;
    auto& of_input = parameters[input];
    if (of_input.empty()) continue;
    const auto [scale, zero_point] = of_input.front();
    const double got = ScaleValue(observer->CalculateQparams());
    const double want = scale.ValueAt(0);
    const double observed = bounds[called.get()].value;
    const double bound =
        observed == 0 ? 0 : ScaleError(observed, StepsOf(*observer), want);
    // It may be that of another observer, and this one's was dropped as dead.
    const bool bounded = !std::isinf(observed);
    const bool apart = bounded && IsApart(got, want, bound);
    if (apart && of_input.size() <= left[input]) continue;
    of_input.pop_front();
    if (apart) {
      return Difference{"scale of " + node.name(),
                        fmt::format("{} (bound {})", got, bound),
                        fmt::format("{}", want)};
    }
    if (!bounded) {
      if (got != want) report.NotBounded("scale of " + node.name());
    } else if (auto difference = CompareZeroPoint(
                   "zero point of " + node.name(),
                   ZeroPointValue(observer->CalculateQparams()), zero_point.IntegerAt(0),
                   TieOf(*observer, want, observed, bound), report)) {
      return difference;
    }
    called->state = MakeRecordedObserver(
        *observer, Qparams{scale.Reshaped({1}), zero_point.Reshaped({1})});
  }
  return std::nullopt;
}

bool HasSeenNothing(const ordered_json& instance) {
  if (!instance.contains("min_val")) return false;
  const Tensor low = TensorFromJson(instance.at("min_val"), "observers");
  return low.numel() == 0 || (low.numel() == 1 && std::isinf(low.ValueAt(0)));
}

}  // namespace

void TakeTrainedRanges(Prepared& prepared, const ordered_json& observers,
                       ObserverBounds& bounds) {
  for (const ordered_json& node : observers.at("nodes")) {
    const auto module = prepared.module.FindModule(node.at("target").get<std::string>());
    const ordered_json& instance =
        observers.at("instances").at(node.at("instance").get<std::string>());
    if (TakeTrainedRange(*ObserverOf(module), instance)) bounds.erase(module.get());
  }
}

std::optional<Difference> TakeEvaluatedQparams(Prepared& prepared,
                                               const ordered_json& reference,
                                               ObserverBounds& bounds,
                                               RecordReport& report) {
  auto difference = TakeConvertedQparams(prepared.module, reference, bounds, report);
  if (!difference) {
    difference = TakeStandaloneQparams(prepared.module, reference, bounds, report);
  }
  if (!difference) {
    difference = TakeInnerQparams(prepared.module, reference, bounds, report);
  }
  return difference;
}

std::optional<Difference> TakeStandaloneQparams(GraphModule& module,
                                                const ordered_json& converted,
                                                ObserverBounds& bounds,
                                                RecordReport& report) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    GraphModule* inner = SubgraphOf(*module.FindModule(node.target()));
    if (inner == nullptr || !converted.contains("modules") ||
        !converted["modules"].contains(node.target())) {
      continue;
    }
    const ordered_json& record = converted["modules"].at(node.target());
    if (!record.contains("graph")) continue;
    auto difference = TakeConvertedQparams(*inner, record, bounds, report);
    if (!difference) difference = TakeStandaloneQparams(*inner, record, bounds, report);
    if (difference) {
      difference->where = node.target() + ": " + difference->where;
      return difference;
    }
  }
  return std::nullopt;
}

void TakeRecordedQparams(Prepared& prepared, const ordered_json& observers) {
  for (const ordered_json& node : observers.at("nodes")) {
    const ordered_json& instance =
        observers.at("instances").at(node.at("instance").get<std::string>());
    if (!instance.contains("qparams") || !instance.at("qparams").contains("scale"))
      continue;
    // Convert may still run the observer of a weight that calibration did not reach.
    if (HasSeenNothing(instance)) continue;
    const auto module = prepared.module.FindModule(node.at("target").get<std::string>());
    const std::shared_ptr<Observer> observer = ObserverOf(module);
    if (IsRecordedObserver(*observer)) continue;
    module->state = MakeRecordedObserver(
        *observer,
        Qparams{TensorFromJson(instance.at("qparams").at("scale"), "observers"),
                TensorFromJson(instance.at("qparams").at("zero_point"), "observers")});
  }
}

}  // namespace qconform::parity
