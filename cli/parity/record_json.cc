#include "cli/parity/record_json.h"

#include "reference/config/backend_config_json.h"
#include "reference/formats/argument_json.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/quantizable/observe_parts.h"
#include "reference/observe/share_observers.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform::parity {
namespace {

ordered_json TensorsToRecord(const OrderedMap<std::optional<Tensor>>& tensors) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, tensor] : tensors) {
    if (tensor) json[name] = TensorToJson(*tensor);
  }
  return json;
}

// The nodes of a match as nested lists of names.
ordered_json NodesToRecord(const Argument& nodes) {
  if (const Sequence* sequence = nodes.As<Sequence>()) {
    ordered_json json = ordered_json::array();
    for (const Argument& item : sequence->items) json.push_back(NodesToRecord(item));
    return json;
  }
  if (const Node* node = nodes.AsNode()) return node->name();
  return ArgumentToJson(nodes);
}

}  // namespace

ordered_json GraphToRecord(const Graph& graph) {
  ordered_json nodes = ordered_json::array();
  for (const Node& node : graph.nodes()) {
    ordered_json json = {{"name", node.name()},
                         {"op", OpName(node.op())},
                         {"target", node.target()},
                         {"args", ordered_json::array()},
                         {"kwargs", ordered_json::object()}};
    for (const Argument& argument : node.args()) {
      json["args"].push_back(ArgumentToJson(argument));
    }
    for (const auto& [name, argument] : node.kwargs()) {
      json["kwargs"][name] = ArgumentToJson(argument);
    }
    nodes.push_back(std::move(json));
  }
  return nodes;
}

ordered_json ModuleToRecord(const Module& module, bool tensors) {
  if (const GraphModule* graph = SubgraphOf(module)) {
    return {{"type", "GraphModule"},
            {"graph", GraphToRecord(graph->graph)},
            {"modules", ModulesToRecord(*graph, tensors)},
            {"attrs", tensors ? AttributesToRecord(*graph) : ordered_json::object()}};
  }
  ordered_json json = {{"type", module.type},
                       {"training", module.training},
                       {"attrs", ordered_json::object()}};
  for (const auto& [name, value] : module.attributes) {
    json["attrs"][name] = ArgumentToJson(value);
  }
  ordered_json children = ordered_json::object();
  ordered_json fake_quants = ordered_json::object();
  for (const auto& [name, child] : module.children) {
    if (!child || name == kOutputObserver) continue;
    if (const auto observer = ObserverOf(child)) {
      fake_quants[name] = ObserverToRecord(*observer);
    }
  }
  tensors = tensors || !fake_quants.empty();
  for (const auto& [name, child] : module.children) {
    if (child && !ObserverOf(child)) children[name] = ModuleToRecord(*child, tensors);
  }
  if (tensors) {
    json["params"] = TensorsToRecord(module.parameters);
    json["buffers"] = TensorsToRecord(module.buffers);
  }
  if (!children.empty()) json["children"] = std::move(children);
  if (!fake_quants.empty()) json["fake_quant"] = std::move(fake_quants);
  return json;
}

ordered_json ModulesToRecord(const GraphModule& module, bool tensors) {
  ordered_json json = ordered_json::object();
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule || json.contains(node.target())) continue;
    const std::shared_ptr<Module> called = module.FindModule(node.target());
    if (!called || ObserverOf(called)) continue;
    json[node.target()] = ModuleToRecord(*called, tensors);
  }
  return json;
}

ordered_json AttributesToRecord(const GraphModule& module) {
  ordered_json json = ordered_json::object();
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kGetAttr) continue;
    const Tensor* tensor = module.FindTensor(node.target());
    if (tensor != nullptr) json[node.target()] = TensorToJson(*tensor);
  }
  return json;
}

ordered_json ObserversToRecord(const Prepared& prepared) {
  const GraphModule& module = prepared.module;
  ordered_json nodes = ordered_json::array();
  ordered_json instances = ordered_json::object();
  std::unordered_map<const Module*, std::string> names;
  for (const Node& node : module.graph.nodes()) {
    if (!IsObserverNode(module, &node)) continue;
    const std::shared_ptr<Module> called = module.FindModule(node.target());
    std::string& name = names[called.get()];
    if (name.empty()) {
      name = "obs" + std::to_string(names.size() - 1);
      ordered_json instance = ObserverToRecord(*ObserverOf(called));
      try {
        const Qparams qparams = ObserverOf(called)->CalculateQparams();
        instance["qparams"] = {{"scale", TensorToJson(qparams.scale)},
                               {"zero_point", TensorToJson(qparams.zero_point)}};
      } catch (const PipelineError& error) {
        instance["qparams"] = {{"error", error.kind()}};
      }
      instances[name] = std::move(instance);
    }
    ordered_json users = ordered_json::array();
    for (const Node* user : node.users()) users.push_back(user->name());
    nodes.push_back({{"node", node.name()},
                     {"target", node.target()},
                     {"observes", node.args()[0].AsNode()->name()},
                     {"instance", name},
                     {"users", users}});
  }
  return {{"nodes", nodes}, {"instances", instances}};
}

ordered_json FusionMatchesToRecord(const OrderedMap<FusionMatch>& matches) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, match] : matches) {
    json[name] = {{"last", match.last},
                  {"pattern", PatternToJson(match.entry->key)},
                  {"nodes", NodesToRecord(match.nodes)}};
  }
  return json;
}

ordered_json MatchesToRecord(const Prepared& prepared) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, match] : prepared.matches) {
    ordered_json entry = {{"last", match->last->name()},
                          {"nodes", NodesToRecord(match->nodes)},
                          {"pattern", nullptr},
                          {"root", match->root->name()},
                          {"num_tensor_args", match->num_tensor_args},
                          {"observation_type", nullptr},
                          {"custom", match->is_custom_module},
                          {"standalone", match->is_standalone_module},
                          {"qconfig", nullptr}};
    if (match->entry != nullptr) entry["pattern"] = PatternToJson(match->entry->key);
    if (match->observation_type) {
      entry["observation_type"] = ObservationTypeName(*match->observation_type);
    }
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(name);
    if (resolved != nullptr) entry["qconfig"] = QConfigToJson(resolved->qconfig);
    json[name] = std::move(entry);
  }
  return json;
}

ordered_json NodeQConfigsToRecord(const Prepared& prepared) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, resolved] : prepared.node_qconfigs) {
    json[name] = QConfigToJson(resolved.qconfig);
  }
  return json;
}

}  // namespace qconform::parity
