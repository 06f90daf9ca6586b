// Calibration and the comparison of what the observers saw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "cli/parity/error_bound.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/inner_observers.h"
#include "cli/parity/record_json.h"
#include "cli/parity/recorded_observer.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/share_observers.h"
#include "reference/observe/used_modules.h"

namespace qconform::parity {
namespace {

double ValueOf(const ordered_json& tensor, int64_t index = 0) {
  return TensorFromJson(tensor, "observers").ValueAt(index);
}

// Compares the statistics of one instance within `bound`, everything else exactly.
class InstanceComparison {
 public:
  InstanceComparison(const ordered_json& got, const ordered_json& want, double bound,
                     const std::string& where, RecordReport& report)
      : got_(got), want_(want), bound_(bound), where_(where), report_(report) {}

  std::optional<Difference> Run() {
    if (auto difference = CompareHistogramSum()) return difference;
    auto exact = FirstDifference(got_, want_, where_);
    if (!exact || bound_ == 0) return exact;
    // What depends on observed values apart from the rest.
    ordered_json got = got_;
    ordered_json want = want_;
    for (const char* key : {"min_val", "max_val", "search", "qparams", "observer",
                            "scale_buf", "zero_point_buf"}) {
      got.erase(key);
      want.erase(key);
    }
    if (auto difference = FirstDifference(got, want, where_)) return difference;
    if (want_.contains("observer")) {
      if (auto difference = InstanceComparison(got_.at("observer"), want_.at("observer"),
                                               bound_, where_ + ".observer", report_)
                                .Run()) {
        return difference;
      }
    }
    for (const char* key : {"min_val", "max_val"}) {
      if (!want_.contains(key)) continue;
      if (auto difference = CompareWithin(key, bound_)) return difference;
    }
    if (auto difference = CompareSearch()) return difference;
    if (auto difference = CompareQparams()) return difference;
    if (!want_.contains("scale_buf")) return std::nullopt;
    // What the last forward quantized with, of the same range.
    for (ordered_json* record : {&got_, &want_}) {
      (*record)["qparams"] = {{"scale", record->at("scale_buf")},
                              {"zero_point", record->at("zero_point_buf")}};
    }
    return CompareQparams();
  }

 private:
  std::optional<Difference> CompareWithin(const std::string& key, double bound) {
    const Tensor got = TensorFromJson(got_.at(key), where_);
    const Tensor want = TensorFromJson(want_.at(key), where_);
    if (got.shape() != want.shape()) {
      return Difference{where_ + "." + key, ShapeText(got.shape()),
                        ShapeText(want.shape())};
    }
    double furthest = 0;
    for (int64_t i = 0; i < got.numel(); ++i) {
      if (std::isnan(got.ValueAt(i)) && std::isnan(want.ValueAt(i))) continue;
      const double distance = std::fabs(got.ValueAt(i) - want.ValueAt(i));
      if (distance <= bound) {
        furthest = std::max(furthest, distance);
        continue;
      }
      return Difference{where_ + "." + key,
                        fmt::format("{} (bound {})", got.ValueAt(i), bound),
                        fmt::format("{}", want.ValueAt(i))};
    }
    if (furthest > 0) {
      report_.Note(
          fmt::format("{}.{}: {} apart, bound {}", where_, key, furthest, bound));
    }
    return std::nullopt;
  }

  // torch sums the bins in float32, we in double: gamma(bins) of the sum apart.
  std::optional<Difference> CompareHistogramSum() {
    if (!want_.contains("hist_sum") || !got_.contains("hist_sum")) return std::nullopt;
    const double got = got_.at("hist_sum").get<double>();
    const double want = want_.at("hist_sum").get<double>();
    const double bound = Gamma(want_.at("bins").get<double>()) * want;
    if (std::fabs(got - want) > bound) {
      return Difference{where_ + ".hist_sum", fmt::format("{} (bound {})", got, bound),
                        fmt::format("{}", want)};
    }
    got_["hist_sum"] = want_.at("hist_sum");
    return std::nullopt;
  }

  // A value that crosses into the next bin moves the clipped range by one bin.
  double BinWidth() const {
    const double width = ValueOf(want_.at("max_val")) - ValueOf(want_.at("min_val"));
    return width / want_.at("bins").get<double>();
  }

  std::optional<Difference> CompareSearch() {
    if (!want_.contains("search")) return std::nullopt;
    range_bound_ = bound_ + BinWidth();
    for (size_t i = 0; i < 2; ++i) {
      const double got = got_.at("search")[i].get<double>();
      const double want = want_.at("search")[i].get<double>();
      if (std::fabs(got - want) <= range_bound_) continue;
      return Difference{where_ + ".search",
                        fmt::format("{} (bound {}: one bin)", got, range_bound_),
                        fmt::format("{}", want)};
    }
    return std::nullopt;
  }

  // With a range known up to d at both ends, s = (max - min) / (qmax - qmin) is known up
  // to 2 d / (qmax - qmin) and two roundings, -min / s up to (d + |min| E(s) / s) / s.
  std::optional<Difference> CompareQparams() {
    if (!want_.contains("qparams") || !want_.at("qparams").contains("scale")) {
      return std::nullopt;
    }
    const ordered_json& settings =
        want_.contains("observer") ? want_.at("observer") : want_;
    if (range_bound_ == 0) range_bound_ = bound_;
    const double steps =
        settings.at("quant_max").get<double>() - settings.at("quant_min").get<double>();
    const Tensor got_scale = TensorFromJson(got_.at("qparams").at("scale"), where_);
    const Tensor want_scale = TensorFromJson(want_.at("qparams").at("scale"), where_);
    const Tensor got_zero = TensorFromJson(got_.at("qparams").at("zero_point"), where_);
    const Tensor want_zero = TensorFromJson(want_.at("qparams").at("zero_point"), where_);
    if (got_scale.shape() != want_scale.shape() ||
        got_scale.dtype() != want_scale.dtype() ||
        got_zero.shape() != want_zero.shape() || got_zero.dtype() != want_zero.dtype()) {
      return Difference{where_ + ".qparams", ShortText(got_.at("qparams")),
                        ShortText(want_.at("qparams"))};
    }
    for (int64_t i = 0; i < want_scale.numel(); ++i) {
      const double scale = want_scale.ValueAt(i);
      const double scale_bound = 2 * range_bound_ / steps + 0x1p-22 * scale;
      if (std::fabs(got_scale.ValueAt(i) - scale) > scale_bound) {
        return Difference{where_ + ".qparams.scale",
                          fmt::format("{} (bound {})", got_scale.ValueAt(i), scale_bound),
                          fmt::format("{}", scale)};
      }
      if (got_zero.ValueAt(i) == want_zero.ValueAt(i)) continue;
      // Another zero point only where the bound reaches a tie of -min / scale.
      const std::string low = settings.contains("search") ? "search" : "min_val";
      const double min = low == "search" ? settings.at(low)[0].get<double>()
                                         : ValueOf(settings.at(low), i);
      const double exact = -std::min(min, 0.0) / scale;
      const double reach = (range_bound_ + std::fabs(min) * scale_bound / scale) / scale;
      const double to_tie = std::fabs(exact - std::floor(exact) - 0.5);
      if (to_tie > reach || std::fabs(got_zero.ValueAt(i) - want_zero.ValueAt(i)) > 1) {
        return Difference{where_ + ".qparams.zero_point",
                          fmt::format("{} (bound {} to the tie, distance {})",
                                      got_zero.ValueAt(i), reach, to_tie),
                          fmt::format("{}", want_zero.ValueAt(i))};
      }
      report_.Note(fmt::format("{}: zero point {} against {}, {} from a tie (bound {})",
                               where_, got_zero.ValueAt(i), want_zero.ValueAt(i), to_tie,
                               reach));
    }
    return std::nullopt;
  }

  ordered_json got_;
  ordered_json want_;
  const double bound_;
  double range_bound_ = 0;
  const std::string where_;
  RecordReport& report_;
};

}  // namespace

namespace {

// What a forward failed with; nothing if it did not. An operator's complaint about its
// input is a RuntimeError or TypeError of torch: its kind is open.
template <typename Run>
std::optional<std::string> FailureOf(const Run& run) {
  try {
    run();
  } catch (const PipelineError& error) {
    return error.kind() + ": " + error.what();
  } catch (const InputError& error) {
    return error.what();
  }
  return std::nullopt;
}

// A forward's result and what it is known up to.
struct BoundedOutput {
  Value value;
  Value error;
};

// One forward; `bounds` grow by what its values are known up to.
BoundedOutput RunBatch(GraphModule& module, const std::vector<Value>& inputs,
                       ObserverBounds& bounds, TrainedErrors* trained = nullptr) {
  BoundedValues values(module, Registry::BuiltIn(), trained);
  values.set_observer_sink([&](const Module& observer, double error) {
    ObserverBound& bound = bounds[&observer];
    bound.value = std::max(bound.value, error);
  });
  size_t input = 0;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() == Op::kPlaceholder && input < inputs.size()) {
      values.Set(node, inputs[input++]);
      continue;
    }
    values.Evaluate(node);
    if (node.op() == Op::kOutput) {
      return {values.ValueOf(node), values.ErrorOfArgument(node.args()[0])};
    }
  }
  return {};
}

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

}  // namespace

std::optional<std::string> CalibrateWithBounds(const FxRecord& record, Prepared& prepared,
                                               ObserverBounds& bounds,
                                               TrainedErrors* trained) {
  // The records were made in evaluation mode, of QAT after two training steps.
  SetTraining(*prepared.module.root, record.is_qat);
  constexpr size_t kTrainSteps = 2;
  const size_t batches = record.is_qat
                             ? std::min(kTrainSteps, record.calibration_inputs.size())
                             : record.calibration_inputs.size();
  const auto failure = FailureOf([&] {
    for (size_t batch = 0; batch < batches; ++batch) {
      RunBatch(prepared.module, record.calibration_inputs[batch], bounds, trained);
    }
  });
  // The recorder turns a trained model to evaluation behind its forwards.
  if (!failure) SetTraining(*prepared.module.root, false);
  return failure;
}

namespace {

// Takes the parameters of the quantize nodes in a converted graph's record for the
// observers that became them, in graph order, where they lie within the bounds.
std::optional<Difference> TakeConvertedQparams(GraphModule& module,
                                               const ordered_json& converted,
                                               ObserverBounds& bounds) {
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
    const double steps = static_cast<double>(observer->quant_max.value_or(255) -
                                             observer->quant_min.value_or(0));
    const double observed = bounds[called.get()].value;
    const double bound = observed == 0 ? 0 : 2 * observed / steps + 0x1p-22 * want;
    // It may be that of another observer, and this one's was dropped as dead.
    if (std::fabs(got - want) > bound && of_input.size() <= left[input]) continue;
    of_input.pop_front();
    if (std::fabs(got - want) > bound) {
      return Difference{"scale of " + node.name(),
                        fmt::format("{} (bound {})", got, bound),
                        fmt::format("{}", want)};
    }
    called->state = MakeRecordedObserver(
        *observer, Qparams{scale.Reshaped({1}), zero_point.Reshaped({1})});
  }
  return std::nullopt;
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

std::optional<Difference> CompareEvaluated(const FxRecord& record, Prepared& prepared,
                                           const ordered_json& want,
                                           ObserverBounds& bounds, TrainedErrors* trained,
                                           RecordReport& report) {
  BoundedOutput output;
  // Where it fails in torch, too, the observers before have seen the input.
  const auto failure = FailureOf([&] {
    output = RunBatch(prepared.module, record.float_test_input, bounds, trained);
  });
  if (!want.contains("output") || want.at("output").is_null()) return std::nullopt;
  if (failure) return Difference{"output", *failure, "ok"};
  return CompareValue("output", output.value, output.error, want.at("output"), report);
}

std::optional<Difference> TakeEvaluatedQparams(Prepared& prepared,
                                               const ordered_json& reference,
                                               ObserverBounds& bounds) {
  auto difference = TakeConvertedQparams(prepared.module, reference, bounds);
  if (!difference) {
    difference = TakeStandaloneQparams(prepared.module, reference, bounds);
  }
  if (!difference) difference = TakeInnerQparams(prepared.module, reference, bounds);
  return difference;
}

std::optional<Difference> TakeStandaloneQparams(GraphModule& module,
                                                const ordered_json& converted,
                                                ObserverBounds& bounds) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    GraphModule* inner = SubgraphOf(*module.FindModule(node.target()));
    if (inner == nullptr || !converted.contains("modules") ||
        !converted["modules"].contains(node.target())) {
      continue;
    }
    const ordered_json& record = converted["modules"].at(node.target());
    if (!record.contains("graph")) continue;
    auto difference = TakeConvertedQparams(*inner, record, bounds);
    if (!difference) difference = TakeStandaloneQparams(*inner, record, bounds);
    if (difference) {
      difference->where = node.target() + ": " + difference->where;
      return difference;
    }
  }
  return std::nullopt;
}

std::optional<Difference> CompareObservers(const Prepared& prepared,
                                           const ordered_json& want,
                                           const ObserverBounds& bounds,
                                           RecordReport& report) {
  ordered_json got = ObserversToRecord(prepared);
  ordered_json expected = want;
  if (auto difference =
          FirstDifference(got.at("nodes"), expected.at("nodes"), "observers.nodes")) {
    return difference;
  }
  for (auto& [name, instance] : expected.at("instances").items()) {
    if (!got.at("instances").contains(name)) {
      return Difference{"observers." + name, "absent", "present"};
    }
    // Of an error only the kind counts.
    if (instance.contains("qparams") && instance.at("qparams").contains("error")) {
      const std::string text = instance.at("qparams").at("error").get<std::string>();
      instance["qparams"]["error"] = text.substr(0, text.find(':'));
    }
    double bound = 0;
    for (const ordered_json& node : expected.at("nodes")) {
      if (node.at("instance") != name) continue;
      const auto module =
          prepared.module.FindModule(node.at("target").get<std::string>());
      const auto found = bounds.find(module.get());
      if (found != bounds.end()) bound = std::max(bound, found->second.value);
    }
    if (auto difference = InstanceComparison(got.at("instances").at(name), instance,
                                             bound, "observers." + name, report)
                              .Run()) {
      return difference;
    }
  }
  return std::nullopt;
}

namespace {

bool HasSeenNothing(const ordered_json& instance) {
  if (!instance.contains("min_val")) return false;
  const Tensor low = TensorFromJson(instance.at("min_val"), "observers");
  return low.numel() == 0 || (low.numel() == 1 && std::isinf(low.ValueAt(0)));
}

}  // namespace

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
