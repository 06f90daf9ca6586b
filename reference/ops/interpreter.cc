#include "reference/ops/interpreter.h"

#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/ops/resolve.h"
#include "reference/ops/user_operators.h"

namespace qconform {
namespace {

std::string Where(const Node& node, const std::string& what) {
  return "node '" + node.name() + "' (" + OpName(node.op()) + " " + what + ")";
}

OrderedMap<Value> ResolveKeywords(const Node& node, const NodeValues& values) {
  OrderedMap<Value> resolved;
  for (const auto& [keyword, argument] : node.kwargs()) {
    resolved.Set(keyword, Resolve(argument, values, Where(node, node.target())));
  }
  return resolved;
}

// Settings and tensors by name.
ValueDictionary ModuleContents(const Module& module) {
  ValueDictionary contents;
  for (const auto& [name, value] : module.attributes) {
    contents.items.emplace_back(name, Resolve(value, {}, "attribute " + name));
  }
  for (const auto* tensors : {&module.parameters, &module.buffers}) {
    for (const auto& [name, tensor] : *tensors) {
      contents.items.emplace_back(name, tensor ? Value(*tensor) : Value());
    }
  }
  return contents;
}

// The inputs of a graph behind those given by position; up to the first that is not
// given.
void AppendByPlaceholder(const GraphModule& graph, const OrderedMap<Value>& keywords,
                         std::vector<Value>& args) {
  size_t position = 0;
  for (const Node& node : graph.graph.nodes()) {
    if (node.op() != Op::kPlaceholder || position++ < args.size()) continue;
    const Value* value = keywords.Find(node.target());
    if (value == nullptr) return;
    args.push_back(*value);
  }
}

Value RunFunction(const FunctionDefinition* definition, const Call& call) {
  if (definition == nullptr) call.Fail("no definition of this operator");
  Value value = (*definition)(call);
  call.CheckAllRead();
  return value;
}

}  // namespace

Value CallModule(Module& module, const Call& call, const Registry& registry) {
  if (const ModuleDefinition* definition = registry.FindModule(module.type)) {
    Value value = (*definition)(module, call);
    call.CheckAllRead();
    return value;
  }
  if (!registry.IsSequential(module.type)) {
    call.Fail("no definition of module class '" + module.type + "'",
              UserModules().Expected(module.type));
  }
  std::vector<Value> inputs = call.args();
  for (const auto& [name, child] : module.children) {
    if (child == nullptr) continue;
    const Call child_call(call.where() + " child '" + name + "'", std::move(inputs));
    inputs = {CallModule(*child, child_call, registry)};
  }
  return inputs.empty() ? Value() : inputs.front();
}

Interpreter::Interpreter(const GraphModule& module, const Registry& registry)
    : module_(module), registry_(registry) {}

Value Interpreter::Evaluate(const Node& node, const NodeValues& values) {
  switch (node.op()) {
    case Op::kPlaceholder: {
      if (node.args().empty()) {
        throw InputError(Where(node, node.target()), "no input value and no default");
      }
      return Resolve(node.args()[0], values, Where(node, node.target()));
    }
    case Op::kGetAttr: {
      const Tensor* tensor = module_.FindTensor(node.target());
      if (tensor == nullptr) {
        // A packed weight: an object that only its operators look into.
        const std::shared_ptr<Module> object = module_.FindModule(node.target());
        if (object != nullptr) return ModuleContents(*object);
        throw InputError(Where(node, node.target()), "no such parameter or buffer");
      }
      return *tensor;
    }
    case Op::kCallFunction:
      return RunFunction(registry_.FindFunction(node.target()),
                         Call(Where(node, node.target()),
                              Resolve(node.args(), values, Where(node, node.target())),
                              ResolveKeywords(node, values)));
    case Op::kCallMethod:
      return RunFunction(registry_.FindMethod(node.target()),
                         Call(Where(node, node.target()),
                              Resolve(node.args(), values, Where(node, node.target())),
                              ResolveKeywords(node, values)));
    case Op::kCallModule: {
      const std::shared_ptr<Module> module = module_.FindModule(node.target());
      if (module == nullptr) {
        throw InputError(Where(node, node.target()), "no such module");
      }
      std::vector<Value> args = Resolve(node.args(), values, Where(node, node.target()));
      OrderedMap<Value> keywords = ResolveKeywords(node, values);
      if (const GraphModule* inner = SubgraphOf(*module)) {
        Interpreter interpreter(*inner, registry_);
        interpreter.set_module_hook(module_hook_);
        AppendByPlaceholder(*inner, keywords, args);
        return interpreter.Run(args);
      }
      const Call call(Where(node, node.target() + ": " + module->type), std::move(args),
                      std::move(keywords));
      if (module_hook_) {
        std::optional<Value> value = module_hook_(node, *module, call);
        if (value) return *std::move(value);
      }
      return CallModule(*module, call, registry_);
    }
    case Op::kOutput:
      return node.args().empty()
                 ? Value()
                 : Resolve(node.args()[0], values, Where(node, node.target()));
  }
  return Value();
}

Value Interpreter::Run(const std::vector<Value>& inputs) {
  // The last node that reads each value, so that memory is given back early.
  std::unordered_map<const Node*, const Node*> last_user;
  for (const Node& node : module_.graph.nodes()) {
    for (const Node* input : node.InputNodes()) last_user[input] = &node;
  }
  NodeValues values;
  size_t next_input = 0;
  for (const Node& node : module_.graph.nodes()) {
    Value value;
    if (node.op() == Op::kPlaceholder && next_input < inputs.size()) {
      value = inputs[next_input++];
    } else {
      value = Evaluate(node, values);
    }
    if (node_hook_) node_hook_(node, value);
    if (node.op() == Op::kOutput) {
      if (next_input < inputs.size()) break;
      return value;
    }
    for (const Node* input : node.InputNodes()) {
      if (last_user[input] == &node) values.erase(input);
    }
    if (last_user.count(&node) > 0) values.emplace(&node, std::move(value));
  }
  if (next_input < inputs.size()) {
    throw InputError("graph", std::to_string(inputs.size()) + " inputs",
                     std::to_string(next_input) + " placeholders");
  }
  return Value();
}

}  // namespace qconform
