// The modules and attributes that a graph uses, without the others.
#ifndef QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_
#define QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_

#include <memory>

#include "reference/ir/module.h"

namespace qconform {

// A new root that holds what the nodes of `graph` call and get from `root`, in the
// order of their first use; the modules themselves are shared with `root`. Containers
// in between become plain torch.nn.Module. (torch.fx.GraphModule's constructor)
std::shared_ptr<Module> ReferencedModules(const Graph& graph, const GraphModule& root);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_REFERENCED_MODULES_H_
