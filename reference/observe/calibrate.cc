#include "reference/observe/calibrate.h"

#include "reference/ir/error.h"
#include "reference/observe/observer.h"
#include "reference/observe/qat_forward.h"

namespace qconform {

std::optional<Value> CallObserved(const Node& node, Module& module,
                                  const std::vector<Value>& args) {
  auto* observer = dynamic_cast<Observer*>(module.state.get());
  if (observer == nullptr) return CallQatModule(node, module, args);
  const Tensor* x = args.size() == 1 ? args[0].As<Tensor>() : nullptr;
  if (x == nullptr) {
    throw InputError("node " + node.name(),
                     "an observer got something else than a tensor", "one tensor");
  }
  return Value(observer->Forward(*x));
}

Value RunObserved(GraphModule& module, const std::vector<Value>& inputs,
                  const Interpreter::NodeHook& hook) {
  Interpreter interpreter(module);
  interpreter.set_module_hook(CallObserved);
  if (hook) interpreter.set_node_hook(hook);
  return interpreter.Run(inputs);
}

}  // namespace qconform
