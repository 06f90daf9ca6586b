#include "reference/observe/standalone_module.h"

#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"

namespace qconform {
namespace {

bool IsSequential(const Module& module, const std::set<std::string>& classes) {
  return module.type == "torch.nn.Sequential" || classes.count(module.type) > 0;
}

// Appends calls of the children to `graph`, and returns the last one's value.
Node* TraceChildren(const Module& module, const std::string& path,
                    const std::set<std::string>& classes, GraphModule& graph,
                    Node* value) {
  for (const auto& [name, child] : module.children) {
    if (!child) continue;
    const std::string child_path = path.empty() ? name : path + "." + name;
    if (IsSequential(*child, classes)) {
      value = TraceChildren(*child, child_path, classes, graph, value);
      continue;
    }
    value = graph.graph.Append(Op::kCallModule, child_path, {value});
    graph.scopes[value->name()] = {child_path, child->type};
  }
  return value;
}

// A module that two nodes call is prepared for each. torch traces it anew, and into its
// observers, which branch on what they see.
void RefuseSecondCall(const Module& module) {
  if (ObservedStandaloneOf(module) == nullptr) return;
  const GraphModule& graph = *SubgraphOf(module);
  for (const Node& node : graph.graph.nodes()) {
    if (node.op() != Op::kCallModule || !ObserverOf(graph.FindModule(node.target()))) {
      continue;
    }
    throw PipelineError("TraceError",
                        "symbolically traced variables cannot be used as inputs to "
                        "control flow");
  }
}

}  // namespace

const Prepared* ObservedStandaloneOf(const Module& module) {
  const auto* state = dynamic_cast<const ObservedStandalone*>(module.state.get());
  return state == nullptr ? nullptr : &state->prepared();
}

GraphModule TraceSubmodule(const std::shared_ptr<Module>& module,
                           const std::set<std::string>& sequential_classes) {
  if (const GraphModule* own = SubgraphOf(*module)) return own->Clone();
  if (!IsSequential(*module, sequential_classes)) {
    throw InputError("standalone module of class " + module->type,
                     "its forward is not known", "a module with a graph");
  }
  GraphModule traced;
  traced.root = module;
  // torch.nn.Sequential names its argument so.
  const char* input = module->type == "torch.nn.Sequential" ? "input" : "x";
  Node* value = traced.graph.Append(Op::kPlaceholder, input);
  value = TraceChildren(*module, "", sequential_classes, traced, value);
  traced.graph.Append(Op::kOutput, "output", {value});
  return traced;
}

const StandaloneModule* FindStandalone(const PrepareCustomConfig& config,
                                       const GraphModule& module, const Node& node) {
  if (const auto* by_name = config.standalone_module_names.Find(node.target())) {
    return by_name;
  }
  return config.standalone_module_classes.Find(module.FindModule(node.target())->type);
}

void PrepareStandaloneModules(Prepared& prepared) {
  static const StandaloneModule* no_settings = new StandaloneModule();
  for (const auto& [name, match] : prepared.matches) {
    if (!match->is_standalone_module) continue;
    const Node& node = *match->root;
    const StandaloneModule* found =
        FindStandalone(prepared.options.custom_config, prepared.module, node);
    const StandaloneModule& settings = found == nullptr ? *no_settings : *found;
    QConfigMapping mapping;
    if (settings.qconfig_mapping) {
      mapping = *settings.qconfig_mapping;
    } else {
      const NodeQConfig* resolved = prepared.node_qconfigs.Find(name);
      mapping.global = resolved == nullptr ? nullptr : resolved->qconfig;
    }
    const std::shared_ptr<Module> module = prepared.module.FindModule(node.target());
    RefuseSecondCall(*module);
    PrepareOptions options = prepared.options;
    options.custom_config = settings.prepare_custom_config != nullptr
                                ? *settings.prepare_custom_config
                                : PrepareCustomConfig();
    const GraphModule graph =
        options.trace ? options.trace(module) : TraceSubmodule(module);
    Prepared inner =
        PrepareFx(graph, mapping,
                  settings.backend_config != nullptr ? settings.backend_config
                                                     : prepared.backend_config,
                  options);
    for (ModeDifference difference : inner.differences) {
      difference.subject.insert(0, node.target() + ": ");
      prepared.differences.push_back(std::move(difference));
    }
    const Node* output = inner.module.graph.OutputNode();
    if (output == nullptr || output->args().empty() ||
        output->args()[0].AsNode() == nullptr) {
      throw PipelineError("AssertionError",
                          "standalone module only supports returning simple value "
                          "currently (not tuple, dict etc.)");
    }
    auto observed = std::make_shared<Module>();
    observed->type = kGraphModuleType;
    observed->training = module->training;
    observed->state = std::make_shared<ObservedStandalone>(std::move(inner));
    prepared.module.SetModule(node.target(), observed);
  }
}

}  // namespace qconform
