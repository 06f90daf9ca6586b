// Runs a graph node by node: torch.fx.Interpreter. float32 results are the same bits
// with every compiler and thread count; README.md says in which order sums are taken.
#ifndef QCONFORM_REFERENCE_OPS_INTERPRETER_H_
#define QCONFORM_REFERENCE_OPS_INTERPRETER_H_

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/registry.h"
#include "reference/ops/value.h"

namespace qconform {

class Interpreter {
 public:
  // Called for a call_module node before the table of built-in modules; a value that
  // it returns is the value of the node. `module` belongs to the graph module. A module
  // with a graph of its own runs that, with this hook for its nodes.
  using ModuleHook = std::function<std::optional<Value>(const Node& node, Module& module,
                                                        const Call& call)>;
  // Called after each node (placeholders and the output too). A value may be changed
  // later by an operator that works in place: Clone() tensors that are to stay.
  using NodeHook = std::function<void(const Node& node, const Value& value)>;

  // `module` and `registry` must outlive the interpreter.
  explicit Interpreter(const GraphModule& module,
                       const Registry& registry = Registry::BuiltIn());

  void set_module_hook(ModuleHook hook) { module_hook_ = std::move(hook); }
  void set_node_hook(NodeHook hook) { node_hook_ = std::move(hook); }

  // One value a placeholder, in order; missing ones take the placeholder's default.
  // Returns the argument of the output node (None without one). Values are dropped
  // after their last use. Throws InputError that names the node: unknown operator,
  // wrong argument, shapes that do not fit.
  Value Run(const std::vector<Value>& inputs);

  // The value of one node from the values of its inputs, without the node hook.
  Value Evaluate(const Node& node, const std::unordered_map<const Node*, Value>& values);

 private:
  const GraphModule& module_;
  const Registry& registry_;
  ModuleHook module_hook_;
  NodeHook node_hook_;
};

// Runs a module, children included, as `where`: the forward of its class.
Value CallModule(Module& module, const Call& call, const Registry& registry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_INTERPRETER_H_
