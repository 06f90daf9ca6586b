#include "reference/convert/node_reason.h"

#include <fmt/format.h>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/match/is_match.h"
#include "reference/observe/share_observers.h"
#include "reference/qconfig/dtype_support.h"

namespace qconform {
namespace {

std::string DTypeText(std::optional<DType> dtype) {
  return dtype ? std::string(DTypeName(*dtype)) : "none";
}

// The class, function or method that a node calls.
std::string OperationOf(const GraphModule& module, const Node& node) {
  if (node.op() != Op::kCallModule) return node.target();
  const std::shared_ptr<Module> called = module.FindModule(node.target());
  return called ? called->type : node.target();
}

class Explanation {
 public:
  Explanation(const GraphModule& float_module, const Prepared& prepared)
      : float_module_(float_module),
        prepared_(prepared),
        reference_classes_(RootModuleToReferenceModule(*prepared.backend_config)) {
    for (const auto& [name, match] : prepared.fusion_matches) {
      members_[match.last].push_back(name);
    }
  }

  NodeReason Explain(const Node& node) {
    NodeReason reason;
    reason.node = node.name();
    reason.op = OpName(node.op());
    reason.target = OperationOf(float_module_, node);
    if (node.op() == Op::kPlaceholder || node.op() == Op::kOutput) {
      reason.text = node.op() == Op::kPlaceholder ? "a graph input" : "the graph output";
      return reason;
    }
    const FusionMatch* fusion = prepared_.fusion_matches.Find(node.name());
    if (fusion != nullptr && !prepared_.node_qconfigs.Contains(node.name())) {
      reason.fate = NodeFate::kFused;
      reason.pattern = fusion->entry->key.HumanText();
      reason.fused_into = Survivor(*fusion);
      reason.text =
          fmt::format("fused into {} by pattern {}", reason.fused_into, reason.pattern);
      return reason;
    }
    if (const NodeQConfig* resolved = prepared_.node_qconfigs.Find(node.name())) {
      reason.qconfig = resolved->qconfig;
      reason.rule = resolved->rule;
    }
    Decide(reason);
    if (fusion != nullptr) reason.text += FusedWith(*fusion, node.name());
    return reason;
  }

 private:
  // The node that stands for all of a fused match.
  std::string Survivor(const FusionMatch& fusion) const {
    for (const std::string& name : members_.at(fusion.last)) {
      if (prepared_.node_qconfigs.Contains(name)) return name;
    }
    return "";
  }

  std::string FusedWith(const FusionMatch& fusion, const std::string& self) const {
    std::string names;
    for (const std::string& name : members_.at(fusion.last)) {
      if (name != self) names += (names.empty() ? "" : ", ") + name;
    }
    return names.empty() ? "" : "; fused with " + names;
  }

  void Float(NodeReason& reason, const std::string& constraint,
             const std::string& text) const {
    reason.fate = NodeFate::kFloat;
    reason.constraint = constraint;
    reason.text = "float: " + text;
  }

  void Decide(NodeReason& reason) {
    const Node* node = prepared_.module.graph.Find(reason.node);
    if (node == nullptr) {
      reason.text = "left out of the fused graph";
      return;
    }
    if (node->op() == Op::kGetAttr) {
      reason.text = "a tensor of the model";
      return;
    }
    const auto* found = prepared_.matches.Find(reason.node);
    const NodeTarget& target = prepared_.targets.at(node);
    if (found == nullptr) {
      if (target.input == nullptr && target.output == nullptr) {
        reason.text = "computes no tensor";
        return;
      }
      Float(reason, "pattern", WhyNoPattern(*node));
      return;
    }
    const QuantizationMatch& match = **found;
    if (match.entry != nullptr) reason.pattern = match.entry->key.HumanText();
    if (match.is_custom_module) reason.pattern = "custom module";
    if (match.is_standalone_module) reason.pattern = "standalone module";
    const NodeQConfig* last = prepared_.node_qconfigs.Find(match.last->name());
    if (reason.qconfig == nullptr || last == nullptr || last->qconfig == nullptr) {
      ExplainNoQConfig(reason, match, last);
      return;
    }
    if (const SupportVerdict* verdict = prepared_.support.Find(reason.node)) {
      if (!verdict->supported) {
        Float(reason, verdict->constraint,
              fmt::format("backend config {} refuses pattern {}: {}",
                          prepared_.backend_config->name(), reason.pattern,
                          verdict->reason));
        return;
      }
    }
    if (target.input == nullptr && target.output == nullptr) {
      reason.text = "computes no tensor";
      return;
    }
    ExplainSupported(reason, *node, match);
  }

  // Nearest miss: a pattern whose last operation is this node.
  std::string WhyNoPattern(const Node& node) const {
    const std::string operation = OperationOf(prepared_.module, node);
    std::string text = fmt::format("no pattern of backend config {} matches {}",
                                   prepared_.backend_config->name(), operation);
    const ModuleTypes types = ModuleTypesOf(prepared_.module);
    for (const BackendConfig::Entry& entry : prepared_.backend_config->entries()) {
      if (!entry.key.IsTuple() || entry.key.items().empty()) continue;
      const Pattern& head = entry.key.items()[0];
      if (head.IsTuple() || head.name() != operation) continue;
      MatchFailure failure;
      if (IsMatch(types, const_cast<Node*>(&node), entry.key, kAnyUsers, &failure)) {
        continue;
      }
      return text + fmt::format("; {} fails at {}: {}", entry.key.HumanText(),
                                failure.node, failure.reason);
    }
    return text;
  }

  void ExplainNoQConfig(NodeReason& reason, const QuantizationMatch& match,
                        const NodeQConfig* last) const {
    if (reason.qconfig == nullptr) {
      Float(reason, "qconfig",
            reason.rule.kind == QConfigRule::Kind::kGlobal
                ? "the global qconfig is None and no other setting names it"
                : fmt::format("its qconfig is None by {}", ToText(reason.rule)));
      return;
    }
    Float(reason, "qconfig",
          fmt::format("the last operation of its pattern, {}, has qconfig None by {}",
                      match.last->name(),
                      last == nullptr ? "no setting" : ToText(last->rule)));
  }

  void ExplainSupported(NodeReason& reason, const Node& node,
                        const QuantizationMatch& match) {
    const bool input = ReadsObserver(node, match);
    const bool output = HasObserverUser(*match.last);
    const std::string weight = WeightOf(node, *reason.qconfig);
    if (!input && !output && weight.empty()) {
      if (prepared_.targets.at(&node).share_with_input) {
        Float(reason, "observation_type",
              "it takes its input's observer and the input has none");
      } else {
        Float(reason, "weight_dtype",
              fmt::format("its qconfig wants activation {} and weight {}, and nothing of "
                          "it is quantized so",
                          DTypeText(DTypesOf(*reason.qconfig).activation),
                          DTypeText(DTypesOf(*reason.qconfig).weight)));
      }
      return;
    }
    reason.fate = NodeFate::kQuantized;
    reason.text = fmt::format("quantized ({}{}{}) by pattern {}, qconfig {} from {}",
                              input && output ? "input and output"
                              : input         ? "input"
                              : output        ? "output"
                                              : "",
                              weight.empty() || (!input && !output) ? "" : ", ",
                              weight.empty() ? "" : "weight " + weight, reason.pattern,
                              ToText(reason.qconfig), ToText(reason.rule));
  }

  bool ReadsObserver(const Node& node, const QuantizationMatch& match) const {
    const Node& root = match.root != nullptr ? *match.root : node;
    for (const Node* input : root.InputNodes()) {
      if (IsObserverNode(prepared_.module, input)) return true;
    }
    return false;
  }

  bool HasObserverUser(const Node& node) const {
    for (const Node* user : node.users()) {
      if (IsObserverNode(prepared_.module, user)) return true;
    }
    return false;
  }

  // The dtype of a module's weight in the reference graph; empty if it stays float.
  std::string WeightOf(const Node& node, const QConfig& qconfig) const {
    if (node.op() != Op::kCallModule) return "";
    const std::shared_ptr<Module> module = prepared_.module.FindModule(node.target());
    const ModuleType* type = FindModuleType(module->type);
    std::string root = module->type;
    if (type != nullptr && !type->weighted_module.empty()) root = type->weighted_module;
    if (!reference_classes_.Contains(root)) return "";
    const BackendPatternConfig* entry =
        prepared_.backend_config->FindSingle(module->type);
    const auto shared = std::make_shared<QConfig>(qconfig);
    if (entry == nullptr || !IsSupportedByDTypeConfigs(shared, entry->dtype_configs)) {
      return "";
    }
    const std::optional<DType> weight = DTypesOf(qconfig).weight;
    return weight && *weight != DType::kFloat32 ? DTypeText(weight) : "";
  }

  const GraphModule& float_module_;
  const Prepared& prepared_;
  const OrderedMap<std::string> reference_classes_;
  // By the last node of a fusion match: all of its nodes.
  std::unordered_map<std::string, std::vector<std::string>> members_;
};

// Prepare copies a setting for a class to the fused and QAT classes made of it; a
// setting that acts through its copy is in use.
bool ActsThroughCopy(const QConfigRule& rule,
                     const OrderedMap<NodeQConfig>& node_qconfigs) {
  if (rule.kind != QConfigRule::Kind::kObjectType) return false;
  for (const auto& [name, resolved] : node_qconfigs) {
    if (resolved.rule.kind != QConfigRule::Kind::kObjectType) continue;
    for (const ModuleType* type = FindModuleType(resolved.rule.key); type != nullptr;
         type = FindModuleType(type->float_module)) {
      if (type->float_module == rule.key) return true;
      for (const std::string_view child : type->children) {
        if (child == rule.key) return true;
      }
    }
  }
  return false;
}

}  // namespace

const char* NodeFateName(NodeFate fate) {
  switch (fate) {
    case NodeFate::kFused:
      return "fused";
    case NodeFate::kQuantized:
      return "quantized";
    case NodeFate::kFloat:
      return "float";
    case NodeFate::kNoValue:
      return "no value";
  }
  return "";
}

std::vector<NodeReason> ExplainNodes(const GraphModule& float_module,
                                     const Prepared& prepared) {
  Explanation explanation(float_module, prepared);
  std::vector<NodeReason> reasons;
  for (const Node& node : float_module.graph.nodes()) {
    reasons.push_back(explanation.Explain(node));
  }
  return reasons;
}

std::vector<QConfigRule> UnusedSettingRules(const Prepared& prepared) {
  std::vector<QConfigRule> rules;
  for (QConfigRule& rule : UnusedRules(prepared.given_mapping, prepared.node_qconfigs)) {
    if (!ActsThroughCopy(rule, prepared.node_qconfigs)) rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<std::string> UnusedSettings(const Prepared& prepared) {
  std::vector<std::string> lines;
  for (const QConfigRule& rule : UnusedSettingRules(prepared)) {
    lines.push_back(ToText(rule) + " took effect on no node");
  }
  return lines;
}

}  // namespace qconform
