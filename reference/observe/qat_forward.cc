#include "reference/observe/qat_forward.h"

#include "reference/config/module_types.h"
#include "reference/ir/error.h"

namespace qconform {

std::optional<Value> CallQatModule(const Node& node, Module& module,
                                   const std::vector<Value>& args) {
  (void)args;
  if (!IsQatModule(module.type)) return std::nullopt;
  throw InputError("node " + node.name(), "the forward of " + module.type + " is missing",
                   "a module class that is defined");
}

}  // namespace qconform
