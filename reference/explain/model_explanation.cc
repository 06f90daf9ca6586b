#include "reference/explain/model_explanation.h"

#include <fmt/format.h>

#include <map>
#include <unordered_set>

#include "reference/convert/conversion_difference.h"
#include "reference/observe/standalone_module.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform {
namespace {

std::string ObserverLine(const ObserverUse& use, const std::string& path) {
  return fmt::format("           {:<7}{}{} {} {}{}{}{}{}\n", use.role, path, use.name,
                     use.class_name, use.dtype, use.range.empty() ? "" : " ", use.range,
                     use.role == "input" ? " on " + path + use.observes : "",
                     use.shared_by == 1 ? ""
                                        : fmt::format(", shared by {}, first {}{}",
                                                      use.shared_by, path, use.first));
}

// The explanation of a graph and of the standalone modules in it.
class Walk {
 public:
  explicit Walk(ModelExplanation& explanation) : explanation_(explanation) {}

  // `settings`: of the standalone module that the graph is; nullptr for the model.
  void Visit(const ExplainedStage& stage, const std::string& path,
             const StandaloneModule* settings) {
    const ObserverTable observers(stage.prepared);
    for (const NodeReason& reason : stage.reasons) {
      ExplainedNode node{reason, {}, path};
      node.reason.inner.clear();
      if (reason.fate != NodeFate::kFused) node.observers = observers.Of(reason.node);
      AddGroups(observers, node.observers, path);
      explanation_.nodes.push_back(std::move(node));
      if (!reason.inner.empty()) VisitStandalone(stage, reason, path);
    }
    const bool is_model = settings == nullptr;
    // What a standalone module has from its parent is reported there.
    if (is_model || settings->qconfig_mapping) Add(UnusedMappingRules(stage), path);
    if (is_model || settings->backend_config) Add(UnusedConfigRows(stage), path);
    Add(UnusedCustomSettings(stage), path);
  }

  void Add(std::vector<UnusedSetting> unused, const std::string& path) {
    for (UnusedSetting& setting : unused) {
      setting.inside = path.substr(0, path.size() - (path.empty() ? 0 : 1));
      explanation_.unused.push_back(std::move(setting));
    }
  }

 private:
  void VisitStandalone(const ExplainedStage& stage, const NodeReason& reason,
                       const std::string& path) {
    const Node& node = *stage.float_module.graph.Find(reason.node);
    const StandaloneModule* settings =
        FindStandalone(stage.prepared.options.custom_config, stage.float_module, node);
    if (settings == nullptr) return;
    const GraphModule graph =
        StandaloneGraph(stage.float_module, stage.prepared, node.target());
    const Prepared& inner =
        *ObservedStandaloneOf(*stage.prepared.module.FindModule(node.target()));
    Visit({graph, inner, reason.inner}, path + node.target() + ".", settings);
  }

  void AddGroups(const ObserverTable& table, const std::vector<ObserverUse>& uses,
                 const std::string& path) {
    for (const ObserverUse& use : uses) {
      if (use.shared_by == 1 || !groups_.insert(path + use.first).second) continue;
      SharingGroup group;
      for (const std::string& name : table.SharedBy(use.first)) {
        group.push_back(path + name);
      }
      explanation_.shared.push_back(std::move(group));
    }
  }

  ModelExplanation& explanation_;
  std::unordered_set<std::string> groups_;
};

}  // namespace

ModelExplanation ExplainModel(const GraphModule& float_module, const Prepared& prepared,
                              const ConvertCustomConfig& convert) {
  ModelExplanation explanation;
  const std::vector<NodeReason> reasons = ExplainNodes(float_module, prepared);
  Walk walk(explanation);
  walk.Visit({float_module, prepared, reasons}, "", nullptr);
  walk.Add(UnusedConvertSettings(prepared, convert), "");
  explanation.differences = prepared.differences;
  for (ModeDifference& difference : ConversionDifferences(prepared)) {
    explanation.differences.push_back(std::move(difference));
  }
  return explanation;
}

std::string ToText(const ModelExplanation& explanation, const ExplanationForm& form) {
  std::string text;
  std::map<std::string, size_t> fates;
  size_t number = 0;
  for (const ExplainedNode& node : explanation.nodes) {
    const NodeReason& reason = node.reason;
    ++fates[NodeFateName(reason.fate)];
    text += fmt::format("node {:<3} {}{} ({}): {}\n", number++, node.path, reason.node,
                        reason.target, reason.text);
    for (const ObserverUse& use : node.observers) text += ObserverLine(use, node.path);
  }
  size_t hidden_rows = 0;
  for (const UnusedSetting& unused : explanation.unused) {
    // A standalone module has a mapping or a config of its own only if the user says so.
    const bool is_given = !unused.inside.empty();
    if (unused.kind == "mapping rule" && !form.mapping_rules && !is_given) continue;
    if (unused.nothing_like_it && !form.all && !is_given && unused.kind == "config row") {
      ++hidden_rows;
      continue;
    }
    text += fmt::format("unused   {} {}{}: {}\n", unused.kind, unused.setting,
                        is_given ? " inside " + unused.inside : "", unused.why);
  }
  if (hidden_rows > 0) {
    text += fmt::format(
        "unused   {} config row{} of whose kind the graph has no node (--all lists "
        "them)\n",
        hidden_rows, hidden_rows == 1 ? "" : "s");
  }
  for (const ModeDifference& difference : explanation.differences) {
    text += fmt::format("differs  {}\n", ToText(difference));
  }
  text += fmt::format(
      "{} nodes: {} fused, {} quantized, {} left in float, {} compute no "
      "tensor\n",
      explanation.nodes.size(), fates["fused"], fates["quantized"], fates["float"],
      fates["no value"]);
  return text;
}

ordered_json ToJson(const ModelExplanation& explanation) {
  ordered_json nodes = ordered_json::array();
  for (const ExplainedNode& node : explanation.nodes) {
    const NodeReason& reason = node.reason;
    ordered_json observers = ordered_json::array();
    for (const ObserverUse& use : node.observers) {
      observers.push_back(
          {{"role", use.role},
           {"observer", node.path + use.name},
           {"observes", use.observes.empty() ? "" : node.path + use.observes},
           {"class", use.class_name},
           {"dtype", use.dtype},
           {"qscheme", use.qscheme},
           {"range", use.range},
           {"shared_by", use.shared_by},
           {"first", node.path + use.first}});
    }
    nodes.push_back(
        {{"node", node.path + reason.node},
         {"op", reason.op},
         {"target", reason.target},
         {"fate", NodeFateName(reason.fate)},
         {"fused_into", reason.fused_into.empty() ? "" : node.path + reason.fused_into},
         {"pattern", reason.pattern},
         {"qconfig", QConfigToJson(reason.qconfig)},
         {"rule", ToText(reason.rule)},
         {"constraint", reason.constraint},
         {"text", reason.text},
         {"observers", std::move(observers)}});
  }
  ordered_json unused = ordered_json::array();
  for (const UnusedSetting& setting : explanation.unused) {
    unused.push_back({{"kind", setting.kind},
                      {"setting", setting.setting},
                      {"inside", setting.inside},
                      {"why", setting.why},
                      {"nothing_like_it", setting.nothing_like_it}});
  }
  ordered_json differences = ordered_json::array();
  for (const ModeDifference& difference : explanation.differences) {
    differences.push_back({{"kind", difference.kind},
                           {"subject", difference.subject},
                           {"torch", difference.torch},
                           {"strict", difference.strict}});
  }
  return {{"nodes", std::move(nodes)},
          {"shared_observers", explanation.shared},
          {"unused", std::move(unused)},
          {"differences", std::move(differences)}};
}

}  // namespace qconform
