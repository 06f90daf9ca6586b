#include "reference/observe/used_modules.h"

#include "reference/fuse/referenced_modules.h"
#include "reference/ir/graph_state.h"

namespace qconform {

void KeepUsedModules(GraphModule& module) {
  auto root = std::make_shared<Module>();
  root->type = module.root->type;
  root->training = module.root->training;
  root->attributes = module.root->attributes;
  root->state = module.root->state;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule && node.op() != Op::kGetAttr) continue;
    const auto [parent_path, name] = SplitParent(node.target());
    const Module* from = module.ModuleAt(parent_path);
    if (from == nullptr) continue;
    Module* to = EnsureModule(root.get(), parent_path, false);
    if (const auto* child = from->children.Find(name)) {
      to->children.Set(name, *child);
    } else if (const auto* parameter = from->parameters.Find(name)) {
      to->parameters.Set(name, *parameter);
    } else if (const auto* buffer = from->buffers.Find(name)) {
      to->buffers.Set(name, *buffer);
    }
  }
  module.root = root;
}

void SetTraining(Module& module, bool training) {
  std::vector<Module*> open = {&module};
  while (!open.empty()) {
    Module* next = open.back();
    open.pop_back();
    next->training = training;
    // A QAT module with a frozen batch norm leaves its children as they are.
    if (next->Boolean("freeze_bn", false)) continue;
    if (const GraphModule* inner = SubgraphOf(*next)) open.push_back(inner->root.get());
    for (auto& [name, child] : next->children) {
      if (child) open.push_back(child.get());
    }
  }
}

}  // namespace qconform
