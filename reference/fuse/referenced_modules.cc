#include "reference/fuse/referenced_modules.h"

namespace qconform {

Module* EnsureModule(Module* root, std::string_view path, bool training) {
  Module* module = root;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    std::shared_ptr<Module>& child = module->children[path.substr(0, dot)];
    if (!child) {
      child = std::make_shared<Module>();
      child->type = "torch.nn.Module";
      child->training = training;
    }
    module = child.get();
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return module;
}

std::shared_ptr<Module> ReferencedModules(
    const Graph& graph, const GraphModule& root,
    const OrderedMap<std::shared_ptr<Module>>& replacements, const OwnModule& own) {
  auto result = std::make_shared<Module>();
  result->type = root.root->type;
  result->training = root.root->training;
  result->attributes = root.root->attributes;
  result->state = root.root->state;
  for (const Node& node : graph.nodes()) {
    if (node.op() != Op::kCallModule && node.op() != Op::kGetAttr) continue;
    const auto [parent_path, name] = SplitParent(node.target());
    Module* parent = EnsureModule(result.get(), parent_path, true);
    if (const auto* replacement = replacements.Find(node.target())) {
      parent->children.Set(name, *replacement);
      continue;
    }
    if (const std::shared_ptr<Module> called = root.FindModule(node.target())) {
      parent->children.Set(name, own(called));
      continue;
    }
    const auto* replaced = replacements.Find(parent_path);
    const Module* owner =
        replaced != nullptr ? replaced->get() : root.ModuleAt(parent_path);
    if (owner == nullptr || owner == parent) continue;
    if (const auto* parameter = owner->parameters.Find(name)) {
      parent->parameters.Set(name, *parameter);
    } else if (const auto* buffer = owner->buffers.Find(name)) {
      // A forward may write to it.
      parent->buffers.Set(
          name, *buffer ? std::optional<Tensor>((*buffer)->Clone()) : std::nullopt);
    } else if (const Argument* attribute = owner->attributes.Find(name)) {
      parent->attributes.Set(name, *attribute);
    }
  }
  return result;
}

}  // namespace qconform
