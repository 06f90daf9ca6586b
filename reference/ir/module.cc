#include "reference/ir/module.h"

#include <cassert>

namespace qconform {

const Tensor* Module::FindTensor(std::string_view name) const {
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
  bool shares_parameters = false;
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
  result->parameters = module.parameters;
  result->buffers = module.buffers;
  const auto copy_storage = [](OrderedMap<std::optional<Tensor>>& tensors) {
    for (auto& [name, tensor] : tensors) {
      if (tensor) tensor = tensor->Clone();
    }
  };
  if (!memory.shares_parameters) copy_storage(result->parameters);
  copy_storage(result->buffers);
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

std::shared_ptr<Module> Module::CloneSharingParameters() const {
  CloneMemory memory;
  memory.shares_parameters = true;
  return CloneModule(*this, memory);
}

std::pair<std::string, std::string> SplitParent(const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

namespace {

// The child of `module` that is first on `path`, which is cut behind it.
std::shared_ptr<Module>* Step(Module& module, std::string_view& path) {
  const size_t dot = path.find('.');
  std::shared_ptr<Module>* child = module.children.Find(path.substr(0, dot));
  path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  return child;
}

// "a.b.c" -> "a.b", "c".
std::pair<std::string_view, std::string_view> SplitLast(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {std::string_view(), path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace

std::shared_ptr<Module> GraphModule::FindModule(std::string_view path) const {
  const std::shared_ptr<Module>* module = &root;
  while (module != nullptr && *module && !path.empty()) module = Step(**module, path);
  return module == nullptr ? nullptr : *module;
}

Module* GraphModule::ModuleAt(std::string_view path) const {
  Module* module = root.get();
  while (module != nullptr && !path.empty()) {
    const std::shared_ptr<Module>* child = Step(*module, path);
    module = child == nullptr ? nullptr : child->get();
  }
  return module;
}

void GraphModule::SetModule(std::string_view path, std::shared_ptr<Module> module) {
  const auto [parent_path, name] = SplitLast(path);
  Module* parent = ModuleAt(parent_path);
  assert(parent);
  parent->children.Set(name, std::move(module));
}

bool GraphModule::EraseModule(const std::string& path) {
  const auto [parent_path, name] = SplitLast(path);
  Module* parent = ModuleAt(parent_path);
  return parent != nullptr && parent->children.Erase(name);
}

const Tensor* GraphModule::FindTensor(std::string_view path) const {
  const auto [parent_path, name] = SplitLast(path);
  const Module* parent = ModuleAt(parent_path);
  return parent == nullptr ? nullptr : parent->FindTensor(name);
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

GraphModule GraphModule::CloneSharingParameters() const {
  GraphModule copy;
  graph.CopyTo(copy.graph);
  copy.root = root->CloneSharingParameters();
  copy.scopes = scopes;
  return copy;
}

}  // namespace qconform
