#include "reference/fuse/referenced_modules.h"

namespace qconform {
namespace {

// The module at a path below `root`, made where it is missing.
std::shared_ptr<Module> EnsureModule(const std::shared_ptr<Module>& root,
                                     const std::string& path) {
  std::shared_ptr<Module> module = root;
  size_t begin = 0;
  while (begin < path.size()) {
    size_t end = path.find('.', begin);
    if (end == std::string::npos) end = path.size();
    const std::string name = path.substr(begin, end - begin);
    const std::shared_ptr<Module>* child = module->children.Find(name);
    if (child == nullptr || *child == nullptr) {
      auto made = std::make_shared<Module>();
      made->type = "torch.nn.Module";
      made->training = true;
      child = &module->children.Set(name, std::move(made));
    }
    module = *child;
    begin = end + 1;
  }
  return module;
}

}  // namespace

std::shared_ptr<Module> ReferencedModules(const Graph& graph, const GraphModule& root) {
  auto result = std::make_shared<Module>();
  result->type = root.root->type;
  result->training = root.root->training;
  result->attributes = root.root->attributes;
  result->state = root.root->state;
  for (const Node& node : graph.nodes()) {
    if (node.op() != Op::kCallModule && node.op() != Op::kGetAttr) continue;
    const auto [parent_path, name] = SplitParent(node.target());
    const std::shared_ptr<Module> parent = EnsureModule(result, parent_path);
    if (std::shared_ptr<Module> called = root.FindModule(node.target())) {
      parent->children.Set(name, std::move(called));
      continue;
    }
    const std::shared_ptr<Module> owner = root.FindModule(parent_path);
    if (owner == nullptr || owner == parent) continue;
    if (const auto* parameter = owner->parameters.Find(name)) {
      parent->parameters.Set(name, *parameter);
    } else if (const auto* buffer = owner->buffers.Find(name)) {
      parent->buffers.Set(name, *buffer);
    } else if (const Argument* attribute = owner->attributes.Find(name)) {
      parent->attributes.Set(name, *attribute);
    }
  }
  return result;
}

}  // namespace qconform
