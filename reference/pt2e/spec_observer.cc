#include "reference/pt2e/spec_observer.h"

#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"
#include "reference/pt2e/derived_observer.h"

namespace qconform {
namespace {

const char* const kTorchao = "torchao.quantization.pt2e.";

// torchao's classes are meant where no module is given.
ObserverConstructor OfTorchao(ObserverConstructor constructor) {
  if (constructor.class_name.find('.') == std::string::npos) {
    const bool fake = constructor.class_name.find("FakeQuantize") != std::string::npos;
    constructor.class_name = std::string(kTorchao) +
                             (fake ? "fake_quantize." : "observer.") +
                             constructor.class_name;
  }
  if (constructor.observer != nullptr) {
    constructor.observer =
        std::make_shared<ObserverConstructor>(OfTorchao(*constructor.observer));
  }
  return constructor;
}

Argument OrNone(const std::optional<int64_t>& value) {
  return value ? Argument(*value) : Argument();
}

Argument OrNone(const std::optional<QScheme>& value) {
  return value ? Argument("torch." + std::string(QSchemeName(*value))) : Argument();
}

template <typename Spec>
void SetCodes(const Spec& spec, OrderedMap<Argument>& kwargs) {
  kwargs.Set("dtype", spec.dtype);
  kwargs.Set("quant_min", OrNone(spec.quant_min));
  kwargs.Set("quant_max", OrNone(spec.quant_max));
  kwargs.Set("qscheme", OrNone(spec.qscheme));
  kwargs.Set("is_dynamic", spec.is_dynamic);
}

// torchao's constructors are given None where a spec leaves something open, and refuse
// it.
void RefuseOpenSettings(const QuantizationSpec& spec, const std::string& class_name) {
  const bool observes = class_name.find("PlaceholderObserver") == std::string::npos &&
                        class_name.find("NoopObserver") == std::string::npos;
  if (!class_name.starts_with(kTorchao) || !observes) return;
  if (!spec.qscheme) {
    throw PipelineError("NotImplementedError",
                        class_name + " needs a qscheme, its spec has None");
  }
  if (class_name.find("PerChannel") != std::string::npos && !spec.ch_axis) {
    throw PipelineError("TypeError", class_name + " needs a ch_axis, its spec has None");
  }
}

class SpecObserver {
 public:
  SpecObserver(const EdgeOrNode& place, const ObserverMap& made, bool is_qat, Mode mode)
      : place_(place), made_(made), is_qat_(is_qat), mode_(mode) {}

  std::shared_ptr<Module> operator()(const QuantizationSpec& spec) const {
    ObserverConstructor constructor = OfTorchao(spec.observer);
    if (mode_ == Mode::kTorch) RefuseOpenSettings(spec, constructor.class_name);
    SetCodes(spec, constructor.kwargs);
    // ch_axis is no keyword of the other classes.
    if (constructor.class_name.find("PerChannel") != std::string::npos) {
      constructor.kwargs.Set("ch_axis", OrNone(spec.ch_axis));
    }
    return MakeObserverModule(constructor, false, mode_);
  }

  std::shared_ptr<Module> operator()(const FixedQParamsQuantizationSpec& spec) const {
    ObserverConstructor observer(std::string(kTorchao) + "observer.FixedQParamsObserver");
    SetCodes(spec, observer.kwargs);
    observer.kwargs.Set("scale", spec.scale);
    observer.kwargs.Set("zero_point", spec.zero_point);
    if (!is_qat_) {
      const std::shared_ptr<Module> made = MakeObserverModule(observer, false, mode_);
      // Bounds that the spec leaves open stay None in torchao's graph.
      if (mode_ == Mode::kTorch) {
        ObserverOf(made)->quant_min = spec.quant_min;
        ObserverOf(made)->quant_max = spec.quant_max;
      }
      return made;
    }
    const ObserverConstructor fake(
        std::string(kTorchao) + "fake_quantize.FixedQParamsFakeQuantize", {},
        std::make_shared<ObserverConstructor>(observer));
    return MakeObserverModule(fake, false, mode_);
  }

  std::shared_ptr<Module> operator()(const SharedQuantizationSpec& spec) const {
    const std::shared_ptr<Module>* found = made_.Find(spec.edge_or_node);
    if (found == nullptr) {
      throw PipelineError("AssertionError",
                          "'" + ToText(place_) + "' shares the observer of '" +
                              ToText(spec.edge_or_node) +
                              "', which comes later or has none: please make sure only "
                              "refer to edge or node that has observer/fake_quant "
                              "inserted");
    }
    return *found;
  }

  std::shared_ptr<Module> operator()(const DerivedQuantizationSpec& spec) const {
    std::vector<std::shared_ptr<Observer>> sources;
    for (const EdgeOrNode& source : spec.derived_from) {
      const std::shared_ptr<Module>* found = made_.Find(source);
      const bool is_none = found != nullptr && *found == nullptr;
      if (found == nullptr || (is_none && mode_ == Mode::kStrict)) {
        throw PipelineError("KeyError", "'" + ToText(place_) + "' derives from '" +
                                            ToText(source) + "', which is not observed" +
                                            (is_none ? "" : " before it"));
      }
      sources.push_back(is_none ? nullptr : ObserverOf(*found));
    }
    auto module = std::make_shared<Module>();
    module->type = std::string(kTorchao) + "DerivedObserverOrFakeQuantize";
    module->state = std::make_shared<DerivedObserver>(spec, std::move(sources));
    return module;
  }

 private:
  const EdgeOrNode& place_;
  const ObserverMap& made_;
  bool is_qat_;
  Mode mode_;
};

}  // namespace

std::shared_ptr<Module> MakeSpecObserver(const EdgeOrNode& place,
                                         const QuantizationSpecPointer& spec,
                                         const ObserverMap& made, bool is_qat,
                                         Mode mode) {
  if (spec == nullptr) return nullptr;
  return std::visit(SpecObserver(place, made, is_qat, mode), *spec);
}

}  // namespace qconform
