#include "reference/ops/interpreter.h"

#include "reference/ir/error.h"

namespace qconform {
namespace {

using Values = std::unordered_map<const Node*, Value>;

std::string Where(const Node& node, const std::string& what) {
  return "node '" + node.name() + "' (" + OpName(node.op()) + " " + what + ")";
}

std::vector<Value> Resolve(const std::vector<Argument>& arguments, const Values& values,
                           const Node& owner);

// Arguments nest as deep as the reader allows, so the recursion is bounded.
Value Resolve(const Argument& argument, const Values& values, const Node& owner) {
  if (const Node* node = argument.AsNode()) {
    const auto found = values.find(node);
    if (found == values.end()) {
      throw InputError(Where(owner, owner.target()),
                       "uses '" + node->name() + "', which has no value yet",
                       "nodes in execution order");
    }
    return found->second;
  }
  if (const bool* flag = argument.As<bool>()) return *flag;
  if (const int64_t* integer = argument.As<int64_t>()) return *integer;
  if (const double* real = argument.As<double>()) return *real;
  if (const std::string* text = argument.As<std::string>()) return *text;
  if (const DType* dtype = argument.As<DType>()) return *dtype;
  if (const OpaqueValue* opaque = argument.As<OpaqueValue>()) return *opaque;
  if (const Sequence* sequence = argument.As<Sequence>()) {
    return ValueSequence{Resolve(sequence->items, values, owner), sequence->is_tuple};
  }
  if (const Slice* slice = argument.As<Slice>()) {
    return ValueSlice{Resolve(slice->bounds, values, owner)};
  }
  if (const Dictionary* dictionary = argument.As<Dictionary>()) {
    ValueDictionary result;
    for (const auto& [key, item] : dictionary->items) {
      result.items.emplace_back(key, Resolve(item, values, owner));
    }
    return result;
  }
  return Value();
}

std::vector<Value> Resolve(const std::vector<Argument>& arguments, const Values& values,
                           const Node& owner) {
  std::vector<Value> resolved;
  resolved.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    resolved.push_back(Resolve(argument, values, owner));
  }
  return resolved;
}

OrderedMap<Value> ResolveKeywords(const Node& node, const Values& values) {
  OrderedMap<Value> resolved;
  for (const auto& [keyword, argument] : node.kwargs()) {
    resolved.Set(keyword, Resolve(argument, values, node));
  }
  return resolved;
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
    call.Fail("no definition of module class '" + module.type + "'");
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

Value Interpreter::Evaluate(const Node& node, const Values& values) {
  switch (node.op()) {
    case Op::kPlaceholder: {
      if (node.args().empty()) {
        throw InputError(Where(node, node.target()), "no input value and no default");
      }
      return Resolve(node.args()[0], values, node);
    }
    case Op::kGetAttr: {
      const Tensor* tensor = module_.FindTensor(node.target());
      if (tensor == nullptr) {
        throw InputError(Where(node, node.target()), "no such parameter or buffer");
      }
      return *tensor;
    }
    case Op::kCallFunction:
      return RunFunction(
          registry_.FindFunction(node.target()),
          Call(Where(node, node.target()), Resolve(node.args(), values, node),
               ResolveKeywords(node, values)));
    case Op::kCallMethod:
      return RunFunction(
          registry_.FindMethod(node.target()),
          Call(Where(node, node.target()), Resolve(node.args(), values, node),
               ResolveKeywords(node, values)));
    case Op::kCallModule: {
      const std::shared_ptr<Module> module = module_.FindModule(node.target());
      if (module == nullptr) {
        throw InputError(Where(node, node.target()), "no such module");
      }
      std::vector<Value> args = Resolve(node.args(), values, node);
      if (module_hook_) {
        std::optional<Value> value = module_hook_(node, *module, args);
        if (value) return *std::move(value);
      }
      return CallModule(*module,
                        Call(Where(node, node.target() + ": " + module->type),
                             std::move(args), ResolveKeywords(node, values)),
                        registry_);
    }
    case Op::kOutput:
      return node.args().empty() ? Value() : Resolve(node.args()[0], values, node);
  }
  return Value();
}

Value Interpreter::Run(const std::vector<Value>& inputs) {
  // The last node that reads each value, so that memory is given back early.
  std::unordered_map<const Node*, const Node*> last_user;
  for (const Node& node : module_.graph.nodes()) {
    for (const Node* input : node.InputNodes()) last_user[input] = &node;
  }
  Values values;
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
