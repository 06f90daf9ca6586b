#include "cli/parity/trained_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/parity/record_json.h"
#include "cli/parity/scale_error.h"
#include "reference/formats/tensor_json.h"
#include "reference/observe/observer_module.h"

namespace qconform::parity {
namespace {

// Whether `got` lies within a bound a channel of `want`; it is then replaced by it.
bool TakeWithin(ordered_json& got, const ordered_json& want,
                const std::vector<double>& bounds, const std::string& where,
                RecordReport& report) {
  if (got == want || bounds.empty()) return got == want;
  const Tensor a = TensorFromJson(got, where);
  const Tensor b = TensorFromJson(want, where);
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  double furthest = 0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    const double bound = a.numel() == static_cast<int64_t>(bounds.size())
                             ? bounds[static_cast<size_t>(i)]
                             : *std::max_element(bounds.begin(), bounds.end());
    const double distance = std::fabs(a.ValueAt(i) - b.ValueAt(i));
    if (!(distance <= bound)) return false;
    furthest = std::max(furthest, distance / std::max(bound, 0x1p-126));
  }
  report.Note(fmt::format("{}: inside its bound, at most {} of it", where, furthest));
  got = want;
  return true;
}

void TakeStatistics(ordered_json& got, const ordered_json& want,
                    const TrainedError& error, const std::string& where,
                    RecordReport& report) {
  if (!got.contains("buffers") || !want.contains("buffers")) return;
  for (const auto& [name, bounds] : {std::pair("running_mean", &error.running_mean),
                                     std::pair("running_var", &error.running_var)}) {
    if (!got["buffers"].contains(name) || !want["buffers"].contains(name)) continue;
    TakeWithin(got["buffers"][name], want["buffers"][name], *bounds, where + "." + name,
               report);
  }
}

void TakeWeightRange(ordered_json& got, const ordered_json& want,
                     const TrainedError& error, const std::string& where,
                     RecordReport& report) {
  for (const char* name : {"min_val", "max_val"}) {
    TakeWithin(got["observer"][name], want["observer"][name], error.weight_range,
               where + "." + name, report);
  }
  const double steps = want["observer"]["quant_max"].get<double>() -
                       want["observer"]["quant_min"].get<double>();
  const Tensor scale = TensorFromJson(want["scale_buf"], where);
  std::vector<double> bounds = error.weight_range;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const int64_t channel = scale.numel() == 1 ? 0 : static_cast<int64_t>(i);
    bounds[i] = ScaleError(bounds[i], steps, scale.ValueAt(channel));
  }
  TakeWithin(got["scale_buf"], want["scale_buf"], bounds, where + ".scale_buf", report);
}

void SetStatistics(Module& batch_norm, const ordered_json& buffers) {
  for (const char* name : {"running_mean", "running_var"}) {
    if (!buffers.contains(name)) continue;
    batch_norm.buffers.Set(name, TensorFromJson(buffers.at(name), name));
  }
}

std::shared_ptr<Module> Child(const Module& module, const std::string& name) {
  const auto* child = module.children.Find(name);
  return child == nullptr ? nullptr : *child;
}

// A QAT module's statistics and the range of its weight.
void TakeQatModule(const Module& module, const ordered_json& recorded,
                   const std::string& path) {
  SetStatistics(*Child(module, "bn"), recorded.at("children").at("bn").at("buffers"));
  const auto fake_quant = ObserverOf(Child(module, "weight_fake_quant"));
  const ordered_json& state = recorded.at("fake_quant").at("weight_fake_quant");
  for (const char* name : {"min_val", "max_val"}) {
    if (!state.at("observer").contains(name)) continue;
    fake_quant->SetBuffer(std::string("activation_post_process.") + name,
                          TensorFromJson(state.at("observer").at(name), path));
  }
}

// Nothing for a module that is no batch norm in training.
std::optional<Difference> TakeBatchNorm(Module& module, const ordered_json& recorded,
                                        const TrainedErrors& errors,
                                        const std::string& path, RecordReport& report) {
  const auto error = errors.find(&module);
  if (error == errors.end() || !recorded.contains("buffers")) return std::nullopt;
  ordered_json got = ModuleToRecord(module, true);
  TakeStatistics(got, recorded, error->second, path, report);
  for (const char* name : {"running_mean", "running_var"}) {
    if (!got["buffers"].contains(name) || !recorded["buffers"].contains(name)) continue;
    if (auto difference = FirstDifference(got["buffers"][name], recorded["buffers"][name],
                                          "modules." + path + ".buffers." + name)) {
      return difference;
    }
  }
  SetStatistics(module, recorded.at("buffers"));
  return std::nullopt;
}

}  // namespace

std::optional<Difference> CompareTrainedModules(const Prepared& prepared,
                                                const ordered_json& want,
                                                const TrainedErrors& errors,
                                                RecordReport& report) {
  ordered_json got = ModulesToRecord(prepared.module, false);
  for (auto& [path, module] : got.items()) {
    const auto error = errors.find(prepared.module.FindModule(path).get());
    if (error == errors.end() || !want.contains(path)) continue;
    const ordered_json& expected = want.at(path);
    if (module.contains("children") && module["children"].contains("bn") &&
        expected.contains("children") && expected["children"].contains("bn")) {
      TakeStatistics(module["children"]["bn"], expected["children"]["bn"], error->second,
                     path + ".bn", report);
    }
    const std::string name = "weight_fake_quant";
    if (module.contains("fake_quant") && expected.contains("fake_quant") &&
        module["fake_quant"][name]["observer"].contains("min_val") &&
        expected["fake_quant"][name]["observer"].contains("min_val")) {
      TakeWeightRange(module["fake_quant"][name], expected["fake_quant"][name],
                      error->second, path + "." + name, report);
    }
  }
  return FirstDifference(got, want, "modules");
}

std::optional<Difference> TakeTrainedState(Prepared& prepared, const ordered_json& want,
                                           const ordered_json& reference,
                                           const TrainedErrors& errors,
                                           RecordReport& report) {
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> module = prepared.module.FindModule(node.target());
    const std::string& path = node.target();
    if (Child(*module, "bn") != nullptr) {
      TakeQatModule(*module, want.at(path), path);
      continue;
    }
    if (!reference.contains("modules") || !reference["modules"].contains(path)) continue;
    const ordered_json& recorded = reference["modules"].at(path);
    if (auto difference = TakeBatchNorm(*module, recorded, errors, path, report)) {
      return difference;
    }
    for (const auto& [name, child] : module->children) {
      if (!child || !recorded.contains("children") ||
          !recorded["children"].contains(name)) {
        continue;
      }
      if (auto difference = TakeBatchNorm(*child, recorded["children"].at(name), errors,
                                          path + "." + name, report)) {
        return difference;
      }
    }
  }
  return std::nullopt;
}

}  // namespace qconform::parity
