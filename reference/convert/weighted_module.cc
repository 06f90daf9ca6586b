#include "reference/convert/weighted_module.h"

#include <fmt/format.h>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/convert/reference_module.h"
#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/qat_swap.h"
#include "reference/observe/weight_constructor.h"
#include "reference/qconfig/quantization_dtypes.h"

namespace qconform {
namespace {

// (weight_is_quantized): qint32 is not among them.
bool IsQuantizedWeight(std::optional<DType> dtype) {
  if (!dtype) return false;
  return IsInEveryQuantizationList(*dtype) || dtype == DType::kFloat16 ||
         dtype == DType::kQUInt4x2;
}

std::shared_ptr<Module> FirstChild(const Module& module) {
  const auto* child = module.children.Find("0");
  return child == nullptr ? nullptr : *child;
}

}  // namespace

DTypeVerdict CheckWeight(const QConfigPointer& qconfig, const BackendConfig& config,
                         const std::string& type) {
  const BackendPatternConfig* entry = config.FindSingle(type);
  const DTypeVerdict verdict = CheckDTypeConfigs(
      qconfig, entry == nullptr ? DTypeConfigList() : entry->dtype_configs);
  if (!verdict.supported) return verdict;
  const std::optional<DType> weight = DTypesOf(*qconfig).weight;
  if (IsQuantizedWeight(weight)) return {};
  return {
      false, "weight_dtype",
      fmt::format("weight_dtype: the qconfig has {}, convert quantizes no weight to it",
                  DTypeName(*weight))};
}

WeightedModuleConverter::WeightedModuleConverter(const Prepared& prepared,
                                                 const BackendConfig& backend_config,
                                                 bool is_decomposed, Mode mode,
                                                 GraphModule& module)
    : prepared_(prepared),
      backend_config_(backend_config),
      is_decomposed_(is_decomposed),
      mode_(mode),
      module_(module),
      reference_classes_(RootModuleToReferenceModule(backend_config)),
      qat_classes_(QatModuleClasses(backend_config)),
      fused_classes_(FusedModuleClasses(backend_config)) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(node.name());
    if (resolved == nullptr) continue;
    module_qconfigs_[node.target()] = resolved->qconfig;
    originals_[node.target()] = module.FindModule(node.target());
  }
}

bool WeightedModuleConverter::QuantizesWeight(const QConfigPointer& qconfig,
                                              const std::string& type) {
  const auto [found, is_new] = quantizes_weight_.try_emplace({qconfig.get(), type});
  if (is_new) found->second = CheckWeight(qconfig, backend_config_, type).supported;
  return found->second;
}

std::shared_ptr<Observer> WeightedModuleConverter::NewWeightObserver(
    const QConfig& qconfig, const std::string& type) {
  std::shared_ptr<Observer>& first = first_observers_[{&qconfig, type}];
  if (!first)
    first = MakeObserver(WeightConstructor(*qconfig.weight, type, mode_), mode_);
  return std::dynamic_pointer_cast<Observer>(first->Clone());
}

bool WeightedModuleConverter::Convert(const Node& node, bool has_none_qconfig) {
  const auto original = originals_.find(node.target());
  if (original == originals_.end()) return false;
  std::shared_ptr<Module> module = original->second;
  const bool is_fused_class = fused_classes_.count(module->type) > 0;
  if (!is_fused_class && !reference_classes_.Contains(module->type) &&
      qat_classes_.count(module->type) == 0) {
    return false;
  }
  if (is_fused_class) {
    const std::shared_ptr<Module> first = FirstChild(*module);
    if (!first || !reference_classes_.Contains(first->type)) return true;
  }

  const QConfigPointer qconfig = module_qconfigs_[node.target()];
  std::shared_ptr<Observer> observer;
  const bool is_qat = qat_classes_.count(module->type) > 0;
  if (is_qat) {
    const auto* fake_quant = module->children.Find("weight_fake_quant");
    observer = fake_quant == nullptr ? nullptr : ObserverOf(*fake_quant);
    module = QatModuleToFloat(*module);
    module_.SetModule(node.target(), module);
  }
  if (qconfig == nullptr || has_none_qconfig ||
      prepared_.observed_node_names.count(node.name()) == 0) {
    return true;
  }
  if (!QuantizesWeight(qconfig, module->type)) return true;

  const bool is_container = IsFusedModule(module->type);
  const std::shared_ptr<Module> weighted = is_container ? FirstChild(*module) : module;
  const std::string* reference_class = reference_classes_.Find(weighted->type);
  if (reference_class == nullptr) {
    throw PipelineError("AssertionError",
                        "no reference module class is configured for " + weighted->type);
  }
  std::shared_ptr<Module> reference;
  if (IsRecurrentCell(weighted->type) || IsRecurrentLayer(weighted->type)) {
    reference = MakeReferenceRecurrentModule(*reference_class, *weighted, *qconfig,
                                             is_decomposed_, mode_);
  } else {
    if (observer == nullptr) {
      observer = NewWeightObserver(*qconfig, weighted->type);
    }
    // torch shows a trained fake-quantizer the folded weight once more, which moves its
    // averages, except on the way to a decomposed graph. Strict mode never does.
    const bool run = !is_qat || (!is_decomposed_ && mode_ == Mode::kTorch);
    const Tensor* weight = weighted->FindTensor("weight");
    if (run && weight != nullptr) observer->Forward(*weight);
    reference = MakeReferenceModule(*reference_class, *weighted, *observer,
                                    is_decomposed_, mode_);
  }
  if (is_container) {
    // In place: a second call finds the reference module and leaves it.
    module->children.Set("0", reference);
  } else {
    module_.SetModule(node.target(), reference);
  }
  return true;
}

}  // namespace qconform
