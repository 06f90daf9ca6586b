#include "reference/observe/calibrate.h"

#include "reference/ir/error.h"
#include "reference/observe/observer.h"
#include "reference/observe/qat_forward.h"
#include "reference/observe/quantizable/quantizable_modules.h"

namespace qconform {

std::optional<Value> CallObserved(const Node&, Module& module, const Call& call) {
  auto* observer = dynamic_cast<Observer*>(module.state.get());
  if (observer == nullptr) {
    if (auto value = CallQatModule(module, call)) return value;
    return CallQuantizable(module, call);
  }
  if (call.args().size() != 1) {
    call.Fail("an observer got " + std::to_string(call.args().size()) + " values", "one");
  }
  const Value& value = call.args()[0];
  if (const Tensor* x = value.As<Tensor>()) return Value(observer->Forward(*x));
  if (observer->PassesAnyValue()) return value;
  // Most ask the value for its size; the fused operator refuses the argument.
  const bool fused = observer->class_name == "FusedMovingAvgObsFakeQuantize";
  throw PipelineError(fused ? "TypeError" : "AttributeError",
                      call.where() + ": " + ValueText(value) + " is no tensor for " +
                          observer->class_name);
}

Value RunObserved(GraphModule& module, const std::vector<Value>& inputs,
                  const Interpreter::NodeHook& hook) {
  Interpreter interpreter(module);
  interpreter.set_module_hook(CallObserved);
  if (hook) interpreter.set_node_hook(hook);
  return interpreter.Run(inputs);
}

}  // namespace qconform
