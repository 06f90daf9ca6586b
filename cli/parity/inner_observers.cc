#include "cli/parity/inner_observers.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "cli/parity/recorded_observer.h"
#include "cli/parity/scale_error.h"
#include "cli/parity/zero_point_error.h"
#include "reference/formats/tensor_json.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/quantizable/observe_parts.h"

namespace qconform::parity {
namespace {

struct Recorded {
  Tensor scale;
  Tensor zero_point;
};

// What the record of a part says about its output: a quantized linear or functional in
// its settings, a stub in its buffers.
std::optional<Recorded> RecordedOutput(const ordered_json& part) {
  if (part.contains("attrs") && part.at("attrs").contains("scale")) {
    return Recorded{
        Tensor::FromVector<float>(
            DType::kFloat32, {1},
            {static_cast<float>(part.at("attrs").at("scale").get<double>())}),
        Tensor::FromVector<int32_t>(DType::kInt32, {1},
                                    {part.at("attrs").at("zero_point").get<int32_t>()})};
  }
  if (part.contains("buffers") && part.at("buffers").contains("scale")) {
    const Tensor zero_point =
        TensorFromJson(part.at("buffers").at("zero_point"), "zero_point");
    return Recorded{
        TensorFromJson(part.at("buffers").at("scale"), "scale"),
        Tensor::FromVector<int32_t>(DType::kInt32, {1},
                                    {static_cast<int32_t>(zero_point.IntegerAt(0))})};
  }
  return std::nullopt;
}

// A scale within its bound of the recorded one, a zero point one apart at a tie.
std::optional<Difference> Take(Module& observer_module, const Recorded& recorded,
                               double error, const std::string& where,
                               RecordReport& report) {
  const std::shared_ptr<Observer> observer =
      std::dynamic_pointer_cast<Observer>(observer_module.state);
  const Qparams own = observer->CalculateQparams();
  const double got = ScaleValue(own);
  const double want = recorded.scale.ValueAt(0);
  const double bound = error == 0 ? 0 : ScaleError(error, StepsOf(*observer), want);
  if (IsApart(got, want, bound)) {
    return Difference{where + ".scale", fmt::format("{} (bound {})", got, bound),
                      fmt::format("{}", want)};
  }
  if (auto difference = CompareZeroPoint(where + ".zero_point", ZeroPointValue(own),
                                         recorded.zero_point.IntegerAt(0),
                                         TieOf(*observer, want, error, bound), report)) {
    return difference;
  }
  observer_module.state =
      MakeRecordedObserver(*observer, Qparams{recorded.scale, recorded.zero_point});
  return std::nullopt;
}

std::optional<Difference> TakeTree(Module& root, const ordered_json& record,
                                   ObserverBounds& bounds, const std::string& path,
                                   RecordReport& report) {
  struct Position {
    Module* part;
    const ordered_json* record;
    std::string path;
  };
  std::vector<Position> open = {{&root, &record, path}};
  while (!open.empty()) {
    const Position at = open.back();
    open.pop_back();
    const auto* observer = at.part->children.Find(kOutputObserver);
    if (observer != nullptr && ObserverOf(*observer)) {
      if (const auto recorded = RecordedOutput(*at.record)) {
        const double error = bounds[observer->get()].value;
        if (auto difference = Take(**observer, *recorded, error, at.path, report)) {
          return difference;
        }
      }
    }
    if (!at.record->contains("children")) continue;
    for (auto& [name, child] : at.part->children) {
      if (!child || name == kOutputObserver) continue;
      const auto found = at.record->at("children").find(name);
      if (found == at.record->at("children").end()) continue;
      open.push_back({child.get(), &*found, at.path + "." + name});
    }
  }
  return std::nullopt;
}

}  // namespace

void ForEachInnerObserver(const Module& module,
                          const std::function<void(const Module& observer)>& visit) {
  std::vector<const Module*> open = {&module};
  while (!open.empty()) {
    const Module* part = open.back();
    open.pop_back();
    for (const auto& [name, child] : part->children) {
      if (!child) continue;
      if (name == kOutputObserver && ObserverOf(child)) {
        visit(*child);
      } else {
        open.push_back(child.get());
      }
    }
  }
}

std::optional<Difference> TakeInnerQparams(GraphModule& module,
                                           const ordered_json& converted,
                                           ObserverBounds& bounds, RecordReport& report) {
  if (!converted.contains("modules")) return std::nullopt;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> called = module.FindModule(node.target());
    if (!called ||
        (!IsQuantizableLstm(called->type) && !IsQuantizableAttention(called->type))) {
      continue;
    }
    const auto record = converted.at("modules").find(node.target());
    if (record == converted.at("modules").end()) continue;
    if (auto difference = TakeTree(*called, *record, bounds, node.target(), report)) {
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace qconform::parity
