#include "reference/quantizers/node_filter.h"

#include <algorithm>
#include <set>

#include "reference/config/class_module.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

// Paths of older captures begin with "L['self'].".
std::string Normalized(const std::string& path) {
  static const std::string prefix = "L['self'].";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

template <typename Key>
std::string WhyNone(const ExportedProgram& program, const std::string& wanted,
                    const std::string& what, const Key& key) {
  std::set<std::string> known;
  for (const Node& node : program.module.graph.nodes()) {
    for (const ModuleFrame& frame : program.MetadataOf(node).nn_module_stack) {
      known.insert(key(frame));
    }
  }
  if (known.contains(wanted)) return "";
  const std::vector<std::string> names(known.begin(), known.end());
  return "no node comes from a module of " + what + " '" + wanted + "'" +
         NearestNameHint(wanted, names);
}

}  // namespace

NodeFilter InModuleOfName(const ExportedProgram& program, std::string path) {
  return [&program, path = std::move(path)](const Node& node) {
    const std::vector<ModuleFrame>& stack = program.MetadataOf(node).nn_module_stack;
    return std::any_of(stack.begin(), stack.end(), [&](const ModuleFrame& frame) {
      return Normalized(frame.path) == path;
    });
  };
}

NodeFilter InModuleOfType(const ExportedProgram& program, const std::string& type) {
  return [&program, name = DefinedName(type)](const Node& node) {
    const std::vector<ModuleFrame>& stack = program.MetadataOf(node).nn_module_stack;
    return std::any_of(stack.begin(), stack.end(),
                       [&](const ModuleFrame& frame) { return frame.type == name; });
  };
}

NodeFilter InNone(std::vector<NodeFilter> filters) {
  return [filters = std::move(filters)](const Node& node) {
    return std::none_of(filters.begin(), filters.end(),
                        [&](const NodeFilter& filter) { return filter(node); });
  };
}

std::string WhyNoModuleOfName(const ExportedProgram& program, const std::string& path) {
  return WhyNone(program, path, "name",
                 [](const ModuleFrame& frame) { return Normalized(frame.path); });
}

std::string WhyNoModuleOfType(const ExportedProgram& program, const std::string& type) {
  return WhyNone(program, DefinedName(type), "class",
                 [](const ModuleFrame& frame) { return frame.type; });
}

}  // namespace qconform
