#include "reference/formats/graph_json.h"

#include <array>
#include <optional>
#include <vector>

#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/ir/verify.h"

namespace qconform {
namespace {

using Members = ordered_json::object_t;

constexpr std::array<Op, 6> kOps = {Op::kPlaceholder, Op::kGetAttr,    Op::kCallFunction,
                                    Op::kCallMethod,  Op::kCallModule, Op::kOutput};

class GraphReader {
 public:
  GraphReader(const JsonOrigin& origin, const GraphJsonOptions& options)
      : origin_(origin), options_(options) {}

  GraphModule Read(const ordered_json& value) {
    RequireObject(value, "a graph module", origin_);
    GraphModule module;
    ReadRoot(value, *module.root);
    ReadNodes(RequireMember(value, "graph", origin_), module.graph);
    if (const ordered_json* scopes = FindMember(value, "node_scope")) {
      ReadScopes(*scopes, module);
    }
    const std::optional<GraphDefect> defect = options_.verification == Verification::kAll
                                                  ? FindDefect(module)
                                                  : FindGraphDefect(module.graph);
    if (defect) {
      throw InputError(origin_.Of(PlaceOf(*defect, value)), defect->what,
                       defect->expected);
    }
    return module;
  }

 private:
  void ReadRoot(const ordered_json& value, Module& root) const {
    const ModuleJsonOptions options{options_.unknown_keys, options_.named_tensors};
    if (const ordered_json* type = FindMember(value, "type")) {
      root.type = RequireString(*type, "'type'", origin_);
    }
    if (const ordered_json* training = FindMember(value, "training")) {
      root.training = RequireBoolean(*training, "'training'", origin_);
    }
    if (const ordered_json* modules = FindMember(value, "modules")) {
      ReadModules(*modules, origin_, options, root);
    }
    if (const ordered_json* attributes = FindMember(value, "attrs")) {
      ReadAttributes(*attributes, origin_, options, root);
    }
  }

  void ReadNodes(const ordered_json& nodes, Graph& graph) {
    // All nodes first: an argument that refers forward gets the line that says so.
    for (const ordered_json& node : RequireArray(nodes, "'graph'", origin_)) {
      AppendNode(node, graph);
      places_.push_back(&node);
    }
    const NodeLookup lookup = [&graph](const std::string& name) {
      return graph.Find(name);
    };
    auto place = places_.begin();
    for (Node& node : graph.nodes()) ReadArguments(**place++, lookup, node);
  }

  void AppendNode(const ordered_json& value, Graph& graph) const {
    RequireObject(value, "a node", origin_);
    if (options_.unknown_keys == UnknownKeys::kRefuse) {
      RequireOnlyKeys(value, "a node", {"name", "op", "target", "args", "kwargs", "meta"},
                      origin_);
    }
    const ordered_json& name_value = RequireMember(value, "name", origin_);
    const std::string& name = RequireString(name_value, "a node's name", origin_);
    const std::string& target =
        RequireString(RequireMember(value, "target", origin_), "'target'", origin_);
    const Op op = ReadOp(RequireMember(value, "op", origin_));
    if (graph.Find(name) != nullptr) {
      throw InputError(origin_.Of(name_value), "node '" + name + "' stands twice",
                       "each name once");
    }
    if (graph.Append(op, target, {}, {}, name)->name() != name) {
      throw InputError(origin_.Of(name_value), "'" + name + "' cannot name a node",
                       "letters, digits and _, no keyword and no builtin name of Python");
    }
  }

  Op ReadOp(const ordered_json& value) const {
    const std::string& text = RequireString(value, "'op'", origin_);
    for (const Op op : kOps) {
      if (text == OpName(op)) return op;
    }
    throw InputError(origin_.Of(value), "the op is '" + text + "'",
                     "placeholder, get_attr, call_function, call_method, call_module or "
                     "output");
  }

  void ReadArguments(const ordered_json& value, const NodeLookup& lookup,
                     Node& node) const {
    if (const ordered_json* args = FindMember(value, "args")) {
      std::vector<Argument> arguments;
      for (const ordered_json& item : RequireArray(*args, "'args'", origin_)) {
        arguments.push_back(ArgumentFromJson(item, lookup, origin_));
      }
      node.set_args(std::move(arguments));
    }
    if (const ordered_json* kwargs = FindMember(value, "kwargs")) {
      node.set_kwargs(ReadNamedArguments(*kwargs, "'kwargs'", lookup));
    }
    if (const ordered_json* meta = FindMember(value, "meta")) {
      node.meta() = ReadNamedArguments(*meta, "'meta'", lookup);
    }
  }

  OrderedMap<Argument> ReadNamedArguments(const ordered_json& value, const char* what,
                                          const NodeLookup& lookup) const {
    RequireObject(value, what, origin_);
    OrderedMap<Argument> arguments;
    for (const auto& [name, item] : value.get_ref<const Members&>()) {
      arguments.Set(name, ArgumentFromJson(item, lookup, origin_));
    }
    return arguments;
  }

  void ReadScopes(const ordered_json& value, GraphModule& module) const {
    RequireObject(value, "'node_scope'", origin_);
    for (const auto& [name, scope] : value.get_ref<const Members&>()) {
      if (module.graph.Find(name) == nullptr) {
        throw InputError(origin_.Of(scope),
                         "'node_scope' names '" + name + "', which is no node",
                         "the name of a node of this graph");
      }
      if (!scope.is_array() || scope.size() != 2) {
        throw InputError(origin_.Of(scope), "a scope is " + DescribeJson(scope),
                         "an array of a path and a class");
      }
      module.scopes[name] = {
          RequireString(scope[0], "a path", origin_),
          scope[1].is_null() ? "" : RequireString(scope[1], "a class", origin_)};
    }
  }

  const ordered_json& PlaceOf(const GraphDefect& defect,
                              const ordered_json& value) const {
    auto place = places_.begin();
    if (defect.node != nullptr) {
      for (const Node& node : defect.node->graph()->nodes()) {
        if (&node == defect.node) return **place;
        ++place;
      }
    }
    return *FindMember(value, "graph");
  }

  const JsonOrigin& origin_;
  const GraphJsonOptions& options_;
  std::vector<const ordered_json*> places_;  // of each node
};

ordered_json NamedArgumentsToJson(const OrderedMap<Argument>& arguments) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, argument] : arguments) {
    AppendMember(object, name, ArgumentToJson(argument));
  }
  return object;
}

ordered_json NodeToJson(const Node& node) {
  ordered_json object = ordered_json::object();
  object["name"] = node.name();
  object["op"] = OpName(node.op());
  object["target"] = node.target();
  object["args"] = ordered_json::array();
  for (const Argument& argument : node.args()) {
    object["args"].push_back(ArgumentToJson(argument));
  }
  object["kwargs"] = NamedArgumentsToJson(node.kwargs());
  if (!node.meta().empty()) object["meta"] = NamedArgumentsToJson(node.meta());
  return object;
}

ordered_json ScopesToJson(const GraphModule& module) {
  ordered_json object = ordered_json::object();
  for (const Node& node : module.graph.nodes()) {
    const auto found = module.scopes.find(node.name());
    if (found == module.scopes.end()) continue;
    const NodeScope& scope = found->second;
    ordered_json type = scope.type.empty() ? ordered_json() : ordered_json(scope.type);
    AppendMember(object, node.name(), ordered_json::array({scope.path, std::move(type)}));
  }
  return object;
}

}  // namespace

GraphModule GraphModuleFromJson(const ordered_json& value, const JsonOrigin& origin,
                                const GraphJsonOptions& options) {
  return GraphReader(origin, options).Read(value);
}

ordered_json GraphModuleToJson(const GraphModule& module, OrderedMap<Tensor>* named,
                               const std::string& prefix) {
  ordered_json object = ordered_json::object();
  if (!module.root->type.empty()) object["type"] = module.root->type;
  if (module.root->training) object["training"] = true;
  object["graph"] = ordered_json::array();
  for (const Node& node : module.graph.nodes()) {
    object["graph"].push_back(NodeToJson(node));
  }
  object["modules"] = ModulesToJson(*module.root, named, prefix);
  object["attrs"] = AttributesToJson(*module.root, named, prefix);
  object["node_scope"] = ScopesToJson(module);
  return object;
}

}  // namespace qconform
