#include "reference/ops/module_call.h"

#include "reference/ops/resolve.h"

namespace qconform {

Call ModuleCall(const Module& module, const Call& call,
                const std::vector<std::string>& settings) {
  std::vector<Value> args;
  for (size_t i = 0; i < call.args().size(); ++i) args.push_back(call.Get(i, ""));
  OrderedMap<Value> kwargs;
  for (const auto& [keyword, value] : call.kwargs()) {
    kwargs.Set(keyword, call.Get(call.args().size(), keyword.c_str()));
  }
  for (const std::string& name : settings) {
    if (name == "training") {
      kwargs.Set(name, module.training);
    } else if (const Tensor* tensor = module.FindTensor(name)) {
      kwargs.Set(name, *tensor);
    } else if (const Argument* attribute = module.attributes.Find(name)) {
      kwargs.Set(name, Resolve(*attribute, {}, call.where()));
    }
  }
  return Call(call.where(), std::move(args), std::move(kwargs));
}

void AddModuleAsFunction(Registry& registry, const std::string& type,
                         FunctionDefinition function, std::vector<std::string> settings) {
  registry.AddModule(type,
                     [function = std::move(function), settings = std::move(settings)](
                         Module& module, const Call& call) -> Value {
                       const Call full = ModuleCall(module, call, settings);
                       Value value = function(full);
                       full.CheckAllRead();
                       return value;
                     });
}

}  // namespace qconform
