#include "reference/fuse/fuser_method.h"

#include "reference/config/module_types.h"
#include "reference/fuse/torch_fusers.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr std::string_view kWrapper = "_sequential_wrapper2(";

std::string ClassOf(const FuserArgument& argument) {
  return argument.module != nullptr ? argument.module->type : "function";
}

}  // namespace

std::shared_ptr<Module> ModuleArgument(const FuserCall& call, size_t index) {
  if (index >= call.arguments.size()) {
    throw PipelineError("TypeError", "a fuser method got " +
                                         std::to_string(call.arguments.size()) +
                                         " parts of a pattern, too few");
  }
  if (call.arguments[index].module == nullptr) {
    throw PipelineError("AttributeError", "a part of a fused pattern is not a module");
  }
  return call.arguments[index].module;
}

std::shared_ptr<Module> MakeFusedModule(const std::string& type,
                                        const std::vector<FuserArgument>& parts) {
  const ModuleType* facts = FindModuleType(type);
  // torch's two convolution-add containers check nothing.
  const bool checked = facts != nullptr && facts->children.size() > 1;
  if (checked) {
    bool right = facts->children.size() == parts.size();
    for (size_t i = 0; right && i < parts.size(); ++i) {
      right = ClassOf(parts[i]) == facts->children[i];
    }
    if (!right) {
      std::string found;
      for (const FuserArgument& part : parts) {
        found += (found.empty() ? "" : " and ") + ClassOf(part);
      }
      throw PipelineError("AssertionError",
                          "Incorrect types for input modules of " + type + ": " + found);
    }
  }
  auto fused = std::make_shared<Module>();
  fused->type = type;
  // A new torch module starts in training mode, whatever its parts are in.
  fused->training = true;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].module == nullptr) {
      throw PipelineError("TypeError",
                          "part " + std::to_string(i) + " of " + type + " is no module");
    }
    fused->children.Set(std::to_string(i), parts[i].module);
  }
  return fused;
}

NameTable<FuserFunction>& FuserTable() {
  static auto* const table = [] {
    auto* made = new NameTable<FuserFunction>("fuser_method");
    for (auto& [name, fuser] : TorchFusers()) made->Add(name, fuser);
    return made;
  }();
  return *table;
}

FuserFunction FindFuserMethod(const std::string& name) {
  if (name.rfind(kWrapper, 0) == 0 && name.back() == ')') {
    const std::string type =
        name.substr(kWrapper.size(), name.size() - kWrapper.size() - 1);
    return [type](const FuserCall& call) {
      if (call.arguments.size() != 2) {
        throw PipelineError("TypeError", "the fuser of " + type + " takes two modules");
      }
      return MakeFusedModule(type, call.arguments);
    };
  }
  return FuserTable().Get(name);
}

}  // namespace qconform
