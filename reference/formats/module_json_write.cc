#include <unordered_map>

#include "reference/formats/argument_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/formats/module_json.h"
#include "reference/ir/graph_state.h"

namespace qconform {
namespace {

class TreeWriter {
 public:
  explicit TreeWriter(OrderedMap<Tensor>* named, std::string prefix = "")
      : named_(named), prefix_(std::move(prefix)) {}

  ordered_json Write(const Module& module, const std::string& path) {
    ordered_json object = ordered_json::object();
    if (module.children.empty() && !path.empty()) {
      const auto [first, is_new] = paths_.emplace(&module, path);
      if (!is_new) {
        object["same_as"] = first->second;
        return object;
      }
    }
    object["type"] = module.type;
    object["training"] = module.training;
    if (const GraphModule* graph = SubgraphOf(module)) {
      ordered_json inner = GraphModuleToJson(*graph, named_, prefix_ + path + ".");
      for (const char* key : {"graph", "modules", "attrs", "node_scope"}) {
        object[key] = std::move(inner[key]);
      }
      return object;
    }
    object["attrs"] = ordered_json::object();
    for (const auto& [name, value] : module.attributes) {
      AppendMember(object["attrs"], name, ArgumentToJson(value));
    }
    object["params"] = Tensors(module.parameters, path);
    object["buffers"] = Tensors(module.buffers, path);
    if (!module.children.empty()) {
      ordered_json children = ordered_json::object();
      for (const auto& [name, child] : module.children) {
        if (child) AppendMember(children, name, Write(*child, Join(path, name)));
      }
      object["children"] = std::move(children);
    }
    return object;
  }

  void WriteChildren(const Module& module, const std::string& path,
                     ordered_json& object) {
    for (const auto& [name, child] : module.children) {
      if (!child) continue;
      const std::string child_path = Join(path, name);
      if (child->type.empty()) {
        WriteChildren(*child, child_path, object);
      } else {
        AppendMember(object, child_path, Write(*child, child_path));
      }
    }
  }

  void WriteAttributes(const Module& module, const std::string& path,
                       ordered_json& object) {
    for (const auto& [name, value] : module.attributes) {
      AppendMember(object, Join(path, name), ArgumentToJson(value));
    }
    for (const auto& [name, tensor] : module.parameters) {
      ordered_json value = TensorOrNull(tensor, Join(path, name));
      if (value.is_object()) value["parameter"] = true;
      AppendMember(object, Join(path, name), std::move(value));
    }
    for (const auto& [name, tensor] : module.buffers) {
      AppendMember(object, Join(path, name), TensorOrNull(tensor, Join(path, name)));
    }
    for (const auto& [name, child] : module.children) {
      if (child && child->type.empty()) {
        WriteAttributes(*child, Join(path, name), object);
      }
    }
  }

 private:
  static std::string Join(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  ordered_json TensorOrNull(const std::optional<Tensor>& tensor,
                            const std::string& path) {
    if (!tensor) return nullptr;
    return named_ == nullptr ? TensorToJson(*tensor)
                             : TensorToJson(*tensor, prefix_ + path, *named_);
  }

  ordered_json Tensors(const OrderedMap<std::optional<Tensor>>& tensors,
                       const std::string& path) {
    ordered_json object = ordered_json::object();
    for (const auto& [name, tensor] : tensors) {
      AppendMember(object, name, TensorOrNull(tensor, Join(path, name)));
    }
    return object;
  }

  OrderedMap<Tensor>* named_;
  // Of names of tensors: the path of the module that holds the graph.
  const std::string prefix_;
  std::unordered_map<const Module*, std::string> paths_;
};

}  // namespace

ordered_json ModuleToJson(const Module& module, const std::string& prefix,
                          OrderedMap<Tensor>* named) {
  return TreeWriter(named).Write(module, prefix);
}

ordered_json ModulesToJson(const Module& root, OrderedMap<Tensor>* named,
                           const std::string& prefix) {
  ordered_json object = ordered_json::object();
  TreeWriter(named, prefix).WriteChildren(root, "", object);
  return object;
}

ordered_json AttributesToJson(const Module& root, OrderedMap<Tensor>* named,
                              const std::string& prefix) {
  ordered_json object = ordered_json::object();
  TreeWriter(named, prefix).WriteAttributes(root, "", object);
  return object;
}

}  // namespace qconform
