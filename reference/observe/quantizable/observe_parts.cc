#include "reference/observe/quantizable/observe_parts.h"

#include <vector>

#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"
#include "reference/qconfig/default_observer.h"

namespace qconform {
namespace {

constexpr const char* kLinear = "torch.nn.Linear";

void ToQat(Module& linear, const QConfig& qconfig) {
  if (!qconfig.weight) throw PipelineError("TypeError", "a qconfig lacks its weight");
  linear.type = "torch.ao.nn.qat.Linear";
  linear.children.Set("weight_fake_quant", MakeObserverModule(*qconfig.weight, true));
}

// nullptr for a class that is not observed.
// (_add_observer_, DEFAULT_MODULE_TO_ACT_POST_PROCESS)
const ObserverConstructor* ObserverFor(const Module& module, const QConfig& qconfig,
                                       bool training) {
  if (module.type == "torch.nn.Sigmoid") {
    return training ? FindNamedObserver("default_fixed_qparams_range_0to1_fake_quant")
                    : nullptr;
  }
  if (module.type == "torch.nn.Tanh") {
    return training ? FindNamedObserver("default_fixed_qparams_range_neg1to1_fake_quant")
                    : nullptr;
  }
  const bool observed =
      module.type == kLinear || module.type == "torch.ao.nn.qat.Linear" ||
      module.type == kFloatFunctionalType || module.type == kQuantStubType;
  if (!observed) return nullptr;
  if (!qconfig.activation) {
    throw PipelineError("TypeError", "a qconfig lacks its activation");
  }
  return &*qconfig.activation;
}

}  // namespace

void ObserveParts(Module& module, const QConfig& qconfig, bool training) {
  std::vector<Module*> open = {&module};
  while (!open.empty()) {
    Module* part = open.back();
    open.pop_back();
    part->training = training;
    if (training && part->type == kLinear) ToQat(*part, qconfig);
    if (const auto* constructor = ObserverFor(*part, qconfig, training)) {
      part->children.Set(kOutputObserver, MakeObserverModule(*constructor, training));
      continue;
    }
    for (auto& [name, child] : part->children) {
      if (child) open.push_back(child.get());
    }
  }
}

}  // namespace qconform
