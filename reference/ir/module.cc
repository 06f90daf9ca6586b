#include "reference/ir/module.h"

#include <cassert>

namespace qconform {

const Tensor* Module::FindTensor(const std::string& name) const {
  for (const auto* tensors : {&parameters, &buffers}) {
    if (const std::optional<Tensor>* tensor = tensors->Find(name)) {
      return tensor->has_value() ? &**tensor : nullptr;
    }
  }
  return nullptr;
}

int64_t Module::Integer(const std::string& name, int64_t fallback) const {
  const Argument* value = attributes.Find(name);
  if (value == nullptr) return fallback;
  const int64_t* integer = value->As<int64_t>();
  return integer == nullptr ? fallback : *integer;
}

double Module::Real(const std::string& name, double fallback) const {
  const Argument* value = attributes.Find(name);
  if (value == nullptr) return fallback;
  if (const double* real = value->As<double>()) return *real;
  if (const int64_t* integer = value->As<int64_t>()) return static_cast<double>(*integer);
  return fallback;
}

bool Module::Boolean(const std::string& name, bool fallback) const {
  const Argument* value = attributes.Find(name);
  if (value == nullptr) return fallback;
  const bool* flag = value->As<bool>();
  return flag == nullptr ? fallback : *flag;
}

std::string Module::Text(const std::string& name, const std::string& fallback) const {
  const Argument* value = attributes.Find(name);
  if (value == nullptr) return fallback;
  const std::string* text = value->As<std::string>();
  return text == nullptr ? fallback : *text;
}

namespace {

// What was cloned already, so that what is shared stays shared in the copy.
struct CloneMemory {
  std::unordered_map<const Module*, std::shared_ptr<Module>> modules;
  std::unordered_map<const ModuleState*, std::shared_ptr<ModuleState>> states;
};

// Modules nest as deep as the readers allow, so the recursion is bounded.
std::shared_ptr<Module> CloneModule(const Module& module, CloneMemory& memory) {
  std::shared_ptr<Module>& copy = memory.modules[&module];
  if (copy) return copy;
  copy = std::make_shared<Module>();
  const std::shared_ptr<Module> result = copy;
  result->type = module.type;
  result->training = module.training;
  result->attributes = module.attributes;
  const auto clone_tensors = [](const OrderedMap<std::optional<Tensor>>& from,
                                OrderedMap<std::optional<Tensor>>& to) {
    for (const auto& [name, tensor] : from) {
      to.Set(name, tensor ? std::optional<Tensor>(tensor->Clone()) : std::nullopt);
    }
  };
  clone_tensors(module.parameters, result->parameters);
  clone_tensors(module.buffers, result->buffers);
  for (const auto& [name, child] : module.children) {
    result->children.Set(name, child ? CloneModule(*child, memory) : nullptr);
  }
  if (module.state) {
    std::shared_ptr<ModuleState>& state = memory.states[module.state.get()];
    if (!state) state = module.state->Clone();
    result->state = state;
  }
  return result;
}

}  // namespace

std::shared_ptr<Module> Module::Clone() const {
  CloneMemory memory;
  return CloneModule(*this, memory);
}

std::pair<std::string, std::string> SplitParent(const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

std::shared_ptr<Module> GraphModule::FindModule(const std::string& path) const {
  std::shared_ptr<Module> module = root;
  size_t begin = 0;
  while (module && begin < path.size()) {
    size_t end = path.find('.', begin);
    if (end == std::string::npos) end = path.size();
    const auto* child = module->children.Find(path.substr(begin, end - begin));
    module = child == nullptr ? nullptr : *child;
    begin = end + 1;
  }
  return module;
}

void GraphModule::SetModule(const std::string& path, std::shared_ptr<Module> module) {
  const auto [parent_path, name] = SplitParent(path);
  std::shared_ptr<Module> parent = FindModule(parent_path);
  assert(parent);
  parent->children.Set(name, std::move(module));
}

bool GraphModule::EraseModule(const std::string& path) {
  const auto [parent_path, name] = SplitParent(path);
  std::shared_ptr<Module> parent = FindModule(parent_path);
  return parent && parent->children.Erase(name);
}

const Tensor* GraphModule::FindTensor(const std::string& path) const {
  const auto [parent_path, name] = SplitParent(path);
  const std::shared_ptr<Module> parent = FindModule(parent_path);
  return parent ? parent->FindTensor(name) : nullptr;
}

void GraphModule::SetBuffer(const std::string& name, Tensor tensor) {
  root->buffers.Set(name, std::move(tensor));
}

GraphModule GraphModule::Clone() const {
  GraphModule copy;
  graph.CopyTo(copy.graph);
  copy.root = root->Clone();
  copy.scopes = scopes;
  return copy;
}

}  // namespace qconform
