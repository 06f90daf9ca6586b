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

// Modules nest as deep as the readers allow, so the recursion is bounded.
std::shared_ptr<Module> Module::Clone() const {
  auto copy = std::make_shared<Module>();
  copy->type = type;
  copy->training = training;
  copy->attributes = attributes;
  const auto clone_tensors = [](const OrderedMap<std::optional<Tensor>>& from,
                                OrderedMap<std::optional<Tensor>>& to) {
    for (const auto& [name, tensor] : from) {
      to.Set(name, tensor ? std::optional<Tensor>(tensor->Clone()) : std::nullopt);
    }
  };
  clone_tensors(parameters, copy->parameters);
  clone_tensors(buffers, copy->buffers);
  for (const auto& [name, child] : children) {
    copy->children.Set(name, child ? child->Clone() : nullptr);
  }
  if (state) copy->state = state->Clone();
  return copy;
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
