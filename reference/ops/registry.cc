#include "reference/ops/registry.h"

#include "reference/ops/user_operators.h"

namespace qconform {
namespace {

template <typename Definitions>
std::vector<std::string> Names(const Definitions& definitions) {
  std::vector<std::string> names;
  for (const auto& [name, definition] : definitions) names.push_back(name);
  return names;
}

}  // namespace

void Registry::AddFunction(const std::string& target, FunctionDefinition definition) {
  functions_[target] = std::move(definition);
}

void Registry::AddMethod(const std::string& name, FunctionDefinition definition) {
  methods_[name] = std::move(definition);
}

void Registry::AddModule(const std::string& type, ModuleDefinition definition) {
  modules_[type] = std::move(definition);
}

void Registry::AddSequential(const std::string& type) { sequential_.insert(type); }

const FunctionDefinition* Registry::FindFunction(const std::string& target) const {
  const auto found = functions_.find(target);
  return found == functions_.end() ? UserFunctions().Find(target) : &found->second;
}

const FunctionDefinition* Registry::FindMethod(const std::string& name) const {
  const auto found = methods_.find(name);
  return found == methods_.end() ? UserMethods().Find(name) : &found->second;
}

const ModuleDefinition* Registry::FindModule(const std::string& type) const {
  const auto found = modules_.find(type);
  return found == modules_.end() ? UserModules().Find(type) : &found->second;
}

std::vector<std::string> Registry::Functions() const { return Names(functions_); }

std::vector<std::string> Registry::Methods() const { return Names(methods_); }

std::vector<std::string> Registry::Modules() const { return Names(modules_); }

bool Registry::IsSequential(const std::string& type) const {
  return sequential_.count(type) > 0;
}

}  // namespace qconform
