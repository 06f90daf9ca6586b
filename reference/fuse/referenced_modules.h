// The modules and attributes that a graph uses, without the others.
#ifndef QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_
#define QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_

#include <functional>
#include <memory>
#include <string_view>

#include "reference/ir/module.h"

namespace qconform {

// The module at a dotted path below `root`. What is missing on the way becomes a plain
// torch.nn.Module, in training or not.
Module* EnsureModule(Module* root, std::string_view path, bool training);

// A new root that holds what the nodes of `graph` call and get from `root`, in the
// order of their first use: of what stands at a path of `replacements` that, of other
// modules what `own` makes of them. Containers in between become plain torch.nn.Module.
// (torch.fx.GraphModule's constructor)
using OwnModule =
    std::function<std::shared_ptr<Module>(const std::shared_ptr<Module>& module)>;
std::shared_ptr<Module> ReferencedModules(
    const Graph& graph, const GraphModule& root,
    const OrderedMap<std::shared_ptr<Module>>& replacements, const OwnModule& own);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_
