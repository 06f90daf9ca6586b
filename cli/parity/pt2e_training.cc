#include "cli/parity/pt2e_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/parity/json_difference.h"
#include "reference/formats/tensor_json.h"

namespace qconform::parity {
namespace {

// What a statistic is known up to, by channel; nullptr if exactly.
const std::vector<double>* BoundOf(const GraphModule& module, const std::string& path,
                                   const TrainedErrors& trained) {
  const auto [owner, name] = SplitParent(path);
  const auto found = trained.find(module.ModuleAt(owner));
  if (found == trained.end()) return nullptr;
  if (name == "running_mean") return &found->second.running_mean;
  return name == "running_var" ? &found->second.running_var : nullptr;
}

}  // namespace

std::optional<Difference> TakeTrainedAttributes(GraphModule& module,
                                                const ordered_json& want,
                                                const TrainedErrors& trained,
                                                RecordReport& report) {
  for (const auto& [path, json] : want.at("attrs").items()) {
    const std::string where = "attrs." + path;
    const Tensor* got = module.FindTensor(path);
    if (got == nullptr) return Difference{where, "absent", ShortText(json)};
    const std::vector<double>* bound = BoundOf(module, path, trained);
    if (bound == nullptr) {
      if (auto difference = FirstDifference(TensorToJson(*got), json, where)) {
        return difference;
      }
      continue;
    }
    const Tensor wanted = TensorFromJson(json, where);
    if (wanted.shape() != got->shape()) {
      return Difference{where, ShapeText(got->shape()), ShapeText(wanted.shape())};
    }
    double furthest = 0;
    for (int64_t c = 0; c < wanted.numel(); ++c) {
      const double apart = std::fabs(wanted.ValueAt(c) - got->ValueAt(c));
      const double allowed = (*bound)[static_cast<size_t>(c)];
      if (apart > allowed) {
        return Difference{fmt::format("{}[{}]", where, c),
                          fmt::format("{} (bound {})", got->ValueAt(c), allowed),
                          fmt::format("{}", wanted.ValueAt(c))};
      }
      furthest = std::max(furthest, apart);
    }
    if (furthest > 0) report.Note(fmt::format("{}: {} apart", where, furthest));
  }
  TakeAttributes(module, want.at("attrs"));
  return std::nullopt;
}

void TakeAttributes(GraphModule& module, const ordered_json& attributes) {
  for (const auto& [path, json] : attributes.items()) {
    const auto [owner_path, name] = SplitParent(path);
    Module* owner = module.ModuleAt(owner_path);
    if (owner == nullptr) continue;
    const Tensor value = TensorFromJson(json, path);
    for (auto* tensors : {&owner->parameters, &owner->buffers}) {
      if (tensors->Contains(name)) tensors->Set(name, value);
    }
  }
}

}  // namespace qconform::parity
