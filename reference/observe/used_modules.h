// Drops what a graph does not use.
#ifndef QCONFORM_REFERENCE_OBSERVE_USED_MODULES_H_
#define QCONFORM_REFERENCE_OBSERVE_USED_MODULES_H_

#include "reference/ir/module.h"

namespace qconform {

// Keeps of the root only what call_module and get_attr nodes name, in order of first
// use, with the plain parents on the way. (GraphModule's constructor and
// delete_all_unused_submodules)
void KeepUsedModules(GraphModule& module);

// Switches a module and all below it to training or evaluation. (Module.train)
void SetTraining(Module& module, bool training);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_USED_MODULES_H_
