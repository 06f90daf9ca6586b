#include <unordered_set>
#include <vector>

#include "reference/formats/argument_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/formats/module_json.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"

namespace qconform {
namespace {

using Members = ordered_json::object_t;

class TreeReader {
 public:
  TreeReader(const JsonOrigin& origin, const ModuleJsonOptions& options, Module* root)
      : origin_(origin), options_(options), root_(root) {}

  // As deep as the document, which json_file.h bounds.
  std::shared_ptr<Module> ReadModule(const ordered_json& value) {
    RequireObject(value, "a module", origin_);
    if (const ordered_json* path = FindMember(value, "same_as")) {
      RequireOnlyKeys(value, "a shared module", {"same_as"}, origin_);
      return FindShared(*path);
    }
    auto module = std::make_shared<Module>();
    for (const auto& [key, member] : value.get_ref<const Members&>()) {
      if (key == "type") {
        module->type = RequireString(member, "'type'", origin_);
      } else if (key == "training") {
        module->training = RequireBoolean(member, "'training'", origin_);
      } else if (key == "attrs") {
        // Beside a graph they are the graph's, by path.
        if (FindMember(value, "graph") == nullptr) ReadValues(member, *module);
      } else if (key == "params") {
        ReadTensors(member, "'params'", module->parameters);
      } else if (key == "buffers") {
        ReadTensors(member, "'buffers'", module->buffers);
      } else if (key == "children") {
        RequireObject(member, "'children'", origin_);
        for (const auto& child : member.get_ref<const Members&>()) {
          CheckName(child.first, child.second);
          module->children.Set(child.first, ReadModule(child.second));
        }
      } else if (key == "graph") {
        ReadGraph(value, *module);
      } else if (key == "modules" || key == "node_scope") {
        if (FindMember(value, "graph") == nullptr) {
          Refuse(member, "'" + key + "' without 'graph'", "a graph");
        }
      } else if (options_.unknown_keys == UnknownKeys::kRefuse) {
        RequireOnlyKeys(value, "a module",
                        {"type", "training", "attrs", "params", "buffers", "children",
                         "graph", "modules", "node_scope"},
                        origin_);
      }
    }
    if (module->type.empty()) {
      Refuse(value, "a module has no type", "a class name in 'type'");
    }
    return module;
  }

  void PlaceModule(const std::string& path, const ordered_json& value) {
    std::shared_ptr<Module> module = ReadModule(value);
    std::string name;
    Module* parent = Descend(path, value, name);
    std::shared_ptr<Module>* present = parent->children.Find(name);
    if (present == nullptr) {
      parent->children.Set(name, std::move(module));
      return;
    }
    // Its children came first and made it without a type: it takes them over.
    if (!(*present)->type.empty() || FindMember(value, "same_as") != nullptr) {
      Refuse(value, "module '" + path + "' stands twice", "each path once");
    }
    for (const auto& [child_name, child] : module->children) {
      if ((*present)->children.Contains(child_name)) {
        Refuse(value, "module '" + path + "." + child_name + "' stands twice",
               "each path once");
      }
      (*present)->children.Set(child_name, child);
    }
    module->children = (*present)->children;
    *present = std::move(module);
  }

  void PlaceAttribute(const std::string& path, const ordered_json& value) {
    std::string name;
    Module* parent = Descend(path, value, name);
    if (!IsTensorJson(value)) {
      parent->attributes.Set(name, ArgumentFromJson(value, {}, origin_));
      return;
    }
    Tensor tensor = TensorFromJson(value, origin_, options_.named_tensors);
    if (const Tensor* present = parent->FindTensor(name)) {
      if (!BitEqual(*present, tensor)) {
        Refuse(value, "'" + path + "' contradicts the module's tensor of that name",
               "the same values");
      }
      return;
    }
    const ordered_json* parameter = FindMember(value, "parameter");
    const bool is_parameter =
        parameter != nullptr && RequireBoolean(*parameter, "'parameter'", origin_);
    (is_parameter ? parent->parameters : parent->buffers).Set(name, std::move(tensor));
  }

 private:
  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(origin_.Of(value), what, expected);
  }

  // Records leave out the observers of such graphs; files hold everything.
  void ReadGraph(const ordered_json& value, Module& module) const {
    GraphJsonOptions options{options_.unknown_keys, Verification::kAll,
                             options_.named_tensors};
    if (options_.unknown_keys == UnknownKeys::kIgnore) {
      options.verification = Verification::kNames;
    }
    module.state =
        std::make_shared<OwnedGraph>(GraphModuleFromJson(value, origin_, options));
  }

  void CheckName(const std::string& name, const ordered_json& value) const {
    if (name.empty() || name.find('.') != std::string::npos) {
      Refuse(value, "'" + name + "' names a module", "a name without dots");
    }
  }

  // The module that holds the last part of the path, made where it is missing.
  Module* Descend(const std::string& path, const ordered_json& value,
                  std::string& name) const {
    Module* module = root_;
    int depth = 0;
    size_t begin = 0;
    for (;;) {
      const size_t end = std::min(path.find('.', begin), path.size());
      name = path.substr(begin, end - begin);
      if (name.empty() || ++depth > kMaxJsonDepth) {
        Refuse(value, "'" + path.substr(0, 80) + "' is no path",
               "at most " + std::to_string(kMaxJsonDepth) + " names with dots between");
      }
      if (end == path.size()) break;
      std::shared_ptr<Module>* child = module->children.Find(name);
      if (child == nullptr) {
        module = module->children.Set(name, std::make_shared<Module>()).get();
      } else {
        module = child->get();
      }
      begin = end + 1;
    }
    if (shared_.count(module) > 0) {
      Refuse(value, "'" + path + "' lies inside a module that stands at two paths",
             "a shared module without children");
    }
    return module;
  }

  // Only modules without children can be shared, so no module can contain itself.
  std::shared_ptr<Module> FindShared(const ordered_json& value) {
    const std::string& path = RequireString(value, "'same_as'", origin_);
    GraphModule tree;
    if (root_ != nullptr) tree.root = std::shared_ptr<Module>(root_, [](Module*) {});
    std::shared_ptr<Module> module = path.empty() ? nullptr : tree.FindModule(path);
    if (module == nullptr || module->type.empty() || !module->children.empty()) {
      Refuse(value, "'same_as' names '" + path + "'",
             "a module above it in the file, without children");
    }
    shared_.insert(module.get());
    return module;
  }

  void ReadValues(const ordered_json& value, Module& module) const {
    RequireObject(value, "'attrs'", origin_);
    for (const auto& [name, member] : value.get_ref<const Members&>()) {
      if (IsTensorJson(member)) {
        module.buffers.Set(name, TensorFromJson(member, origin_, options_.named_tensors));
        continue;
      }
      module.attributes.Set(name, ArgumentFromJson(member, {}, origin_));
    }
  }

  void ReadTensors(const ordered_json& value, const char* what,
                   OrderedMap<std::optional<Tensor>>& tensors) const {
    RequireObject(value, what, origin_);
    for (const auto& [name, member] : value.get_ref<const Members&>()) {
      tensors.Set(name, member.is_null() ? std::nullopt
                                         : std::optional<Tensor>(TensorFromJson(
                                               member, origin_, options_.named_tensors)));
    }
  }

  const JsonOrigin& origin_;
  const ModuleJsonOptions& options_;
  Module* root_;  // nullptr: a single module
  std::unordered_set<const Module*> shared_;
};

}  // namespace

std::shared_ptr<Module> ModuleFromJson(const ordered_json& value,
                                       const JsonOrigin& origin,
                                       const ModuleJsonOptions& options) {
  return TreeReader(origin, options, nullptr).ReadModule(value);
}

void ReadModules(const ordered_json& modules, const JsonOrigin& origin,
                 const ModuleJsonOptions& options, Module& root) {
  RequireObject(modules, "'modules'", origin);
  TreeReader reader(origin, options, &root);
  for (const auto& [path, module] : modules.get_ref<const Members&>()) {
    reader.PlaceModule(path, module);
  }
}

void ReadAttributes(const ordered_json& attributes, const JsonOrigin& origin,
                    const ModuleJsonOptions& options, Module& root) {
  RequireObject(attributes, "'attrs'", origin);
  TreeReader reader(origin, options, &root);
  for (const auto& [path, value] : attributes.get_ref<const Members&>()) {
    reader.PlaceAttribute(path, value);
  }
}

}  // namespace qconform
