#include "reference/explain/model_explanation.h"

#include <fmt/format.h>

#include "reference/convert/conversion_difference.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform {
namespace {

std::string GroupText(const ObserverUse& use) {
  std::string others;
  for (const std::string& name : use.group) {
    if (name != use.name) others += (others.empty() ? "" : ", ") + name;
  }
  return others.empty() ? "" : ", one object with " + others;
}

std::string ObserverLine(const ObserverUse& use) {
  return fmt::format("           {:<7}{} {} {}{}{}{}{}\n", use.role, use.name,
                     use.class_name, use.dtype, use.range.empty() ? "" : " ", use.range,
                     use.role == "input" ? " on " + use.observes : "", GroupText(use));
}

}  // namespace

ModelExplanation ExplainModel(const GraphModule& float_module, const Prepared& prepared) {
  ModelExplanation explanation;
  const ObserverTable observers(prepared);
  for (NodeReason& reason : ExplainNodes(float_module, prepared)) {
    ExplainedNode node;
    if (reason.fate != NodeFate::kFused) node.observers = observers.Of(reason.node);
    node.reason = std::move(reason);
    explanation.nodes.push_back(std::move(node));
  }
  explanation.unused = UnusedMappingRules(float_module, prepared);
  for (auto* find : {&UnusedConfigRows, &UnusedCustomSettings}) {
    for (UnusedSetting& unused : (*find)(float_module, prepared)) {
      explanation.unused.push_back(std::move(unused));
    }
  }
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
    text += fmt::format("node {:<3} {} ({}): {}\n", number++, reason.node, reason.target,
                        reason.text);
    for (const ObserverUse& use : node.observers) text += ObserverLine(use);
  }
  size_t hidden_rows = 0;
  for (const UnusedSetting& unused : explanation.unused) {
    if (unused.kind == "mapping rule" && !form.mapping_rules) continue;
    if (unused.nothing_like_it && !form.all && unused.kind == "config row") {
      ++hidden_rows;
      continue;
    }
    text += fmt::format("unused   {} {}: {}\n", unused.kind, unused.setting, unused.why);
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
      observers.push_back({{"role", use.role},
                           {"observer", use.name},
                           {"observes", use.observes},
                           {"class", use.class_name},
                           {"dtype", use.dtype},
                           {"qscheme", use.qscheme},
                           {"range", use.range},
                           {"group", use.group}});
    }
    nodes.push_back({{"node", reason.node},
                     {"op", reason.op},
                     {"target", reason.target},
                     {"fate", NodeFateName(reason.fate)},
                     {"fused_into", reason.fused_into},
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
          {"unused", std::move(unused)},
          {"differences", std::move(differences)}};
}

}  // namespace qconform
