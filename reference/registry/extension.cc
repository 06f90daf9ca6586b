#include "reference/registry/extension.h"

#include "reference/config/module_types.h"
#include "reference/ir/error.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/reference_forward.h"
#include "reference/ops/user_operators.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

// What the observer says of itself, in the place of a table of torch's defaults.
ObserverSettings Describe(const ObserverConstructor& constructor) {
  const std::shared_ptr<Observer> made = MakeObserver(constructor);
  const std::shared_ptr<Observer> inner = made->ActivationPostProcess();
  const Observer& observer = inner != nullptr ? *inner : *made;
  ObserverSettings settings;
  settings.class_name = constructor.class_name;
  settings.observer_class_name =
      inner != nullptr ? inner->class_name : constructor.class_name;
  settings.dtype = observer.dtype;
  settings.qscheme = "torch." + std::string(QSchemeName(observer.qscheme));
  settings.quant_min = observer.quant_min;
  settings.quant_max = observer.quant_max;
  settings.eps = observer.eps;
  settings.is_dynamic = observer.is_dynamic;
  settings.reduce_range = observer.reduce_range;
  settings.is_fake_quantize = inner != nullptr;
  return settings;
}

Value RunChildren(Module& module, const Call& call) {
  std::vector<Value> values;
  for (size_t i = 0; i < call.args().size(); ++i) values.push_back(call.Get(i, ""));
  for (const auto& [name, child] : module.children) {
    const Call child_call(call.where() + " child '" + name + "'", std::move(values));
    values = {CallModule(*child, child_call, Registry::BuiltIn())};
  }
  return values.empty() ? Value() : values.front();
}

// Extensions cannot take the names of torch's operators either.
void RefuseBuiltIn(bool is_built_in, const char* kind, const std::string& name,
                   const std::string& owner) {
  if (!is_built_in) return;
  throw InputError(std::string(kind) + " '" + name + "' of " + owner,
                   "qconform registered this name already", "another name");
}

}  // namespace

Extension::~Extension() {
  for (const auto& undo : undo_) undo();
}

template <typename T>
void Extension::AddTo(NameTable<T>& table, const std::string& name, T value) {
  table.Add(name, std::move(value), name_);
  undo_.push_back([&table, name] { table.Remove(name); });
}

void Extension::AddFuserMethod(const std::string& name, FuserFunction fuser) {
  AddTo(FuserTable(), name, std::move(fuser));
}

void Extension::AddRootNodeGetter(const std::string& name, RootNodeGetter getter) {
  AddTo(RootNodeGetters(), name, std::move(getter));
}

void Extension::AddExtraInputsGetter(const std::string& name, ExtraInputsGetter getter) {
  AddTo(ExtraInputsGetters(), name, std::move(getter));
}

void Extension::AddDeriveFunction(const std::string& name, DeriveFunction derive) {
  AddTo(DeriveFunctions(), name, std::move(derive));
}

void Extension::AddObserver(const std::string& class_name, ObserverFactory make) {
  if (class_name.find('.') == std::string::npos || class_name.starts_with("torch")) {
    throw InputError("observer class '" + class_name + "' of " + name_,
                     "bare names and torch's are qconform's",
                     "a name with a module, '" + name_ + "." + class_name + "'");
  }
  const auto named = [make = std::move(make)](ObserverArguments& arguments) {
    std::shared_ptr<Observer> observer = make(arguments);
    observer->class_name = arguments.class_name();
    return observer;
  };
  AddTo<ObserverFactory>(ObserverFactories(), class_name, named);
  AddTo<ObserverDescription>(UserObservers(), class_name, Describe);
}

void Extension::AddModule(const std::string& type, ModuleDefinition definition) {
  RefuseBuiltIn(UserModules().Find(type) == nullptr &&
                    (Registry::BuiltIn().FindModule(type) != nullptr ||
                     Registry::BuiltIn().IsSequential(type)),
                "module class", type, name_);
  AddTo(UserModules(), type, std::move(definition));
}

void Extension::AddLeafModule(const LeafModule& module) {
  AddModule(module.type, module.forward);
  if (!module.reference_type.empty()) {
    AddModule(module.reference_type, OnReferenceWeight(module.forward));
  }
  if (!module.qat_type.empty()) {
    AddTo(UserModuleTypes(), module.qat_type,
          ModuleType{module.qat_type, false, {}, module.type, module.type});
  }
}

void Extension::AddFusedModule(const std::string& type,
                               const std::vector<std::string>& parts,
                               ModuleDefinition forward) {
  AddModule(type, forward ? std::move(forward) : RunChildren);
  AddTo(UserModuleTypes(), type,
        ModuleType{type, true, parts, "", parts.empty() ? "" : parts.front()});
}

void Extension::AddSequential(const std::string& type) { AddModule(type, RunChildren); }

void Extension::AddFunction(const std::string& target, FunctionDefinition definition) {
  RefuseBuiltIn(Registry::BuiltIn().FindFunction(target) != nullptr &&
                    UserFunctions().Find(target) == nullptr,
                "function", target, name_);
  AddTo(UserFunctions(), target, std::move(definition));
}

void Extension::AddMethod(const std::string& name, FunctionDefinition definition) {
  RefuseBuiltIn(Registry::BuiltIn().FindMethod(name) != nullptr &&
                    UserMethods().Find(name) == nullptr,
                "method", name, name_);
  AddTo(UserMethods(), name, std::move(definition));
}

void Extension::AddCustomConversion(const std::string& observed_type,
                                    CustomConversion convert) {
  AddTo(UserConversions(), observed_type, std::move(convert));
}

}  // namespace qconform
