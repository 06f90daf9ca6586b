#include "reference/convert/node_reason.h"

#include <fmt/format.h>

#include <unordered_map>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/convert/weighted_module.h"
#include "reference/match/is_match.h"
#include "reference/observe/qat_swap.h"
#include "reference/observe/share_observers.h"
#include "reference/observe/standalone_module.h"
#include "reference/qconfig/observer_settings.h"

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
    for (const Node& node : prepared.module.graph.nodes()) {
      if (node.op() == Op::kCallModule && prepared.node_qconfigs.Contains(node.name())) {
        last_calls_[node.target()] = &node;
      }
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
    if (match.is_standalone_module) {
      ExplainStandalone(reason, *node, match);
      return;
    }
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

  // It is prepared whether it has a qconfig here or not: its own mapping may give its
  // nodes others.
  void ExplainStandalone(NodeReason& reason, const Node& node,
                         const QuantizationMatch& match) {
    reason.pattern = "standalone module";
    const Prepared* inner =
        ObservedStandaloneOf(*prepared_.module.FindModule(node.target()));
    if (inner == nullptr) return;
    reason.inner =
        ExplainNodes(StandaloneGraph(float_module_, prepared_, node.target()), *inner);
    size_t values = 0;
    size_t quantized = 0;
    bool took_effect = false;
    for (const NodeReason& part : reason.inner) {
      values += part.fate == NodeFate::kNoValue ? 0 : 1;
      quantized += part.fate == NodeFate::kQuantized ? 1 : 0;
      took_effect = took_effect || part.took_effect;
    }
    const StandaloneModule* settings =
        FindStandalone(prepared_.options.custom_config, float_module_, node);
    const bool has_own_mapping = settings != nullptr && settings->qconfig_mapping;
    reason.took_effect = reason.qconfig != nullptr &&
                         (ReadsObserver(node, match) || HasObserverUser(*match.last) ||
                          (took_effect && !has_own_mapping));
    const std::string source =
        has_own_mapping ? std::string("its own mapping")
                        : fmt::format("qconfig {} from {}", ToText(reason.qconfig),
                                      ToText(reason.rule));
    if (quantized == 0) {
      Float(reason, "standalone_module",
            fmt::format("standalone module, none of its {} nodes is quantized by {}",
                        values, source));
      return;
    }
    reason.fate = NodeFate::kQuantized;
    reason.text = fmt::format("standalone module, {} of its {} nodes quantized by {}",
                              quantized, values, source);
  }

  void ExplainSupported(NodeReason& reason, const Node& node,
                        const QuantizationMatch& match) {
    const bool input = ReadsObserver(node, match);
    const bool output = HasObserverUser(*match.last);
    const std::string weighted_class = WeightedClass(node);
    std::string weight;
    if (!weighted_class.empty()) {
      const DTypeVerdict verdict = CheckWeightOf(node, weighted_class);
      if (!verdict.supported) {
        reason.took_effect = input || output;
        const std::string why =
            verdict.field == "qconfig"
                ? verdict.reason
                : fmt::format("backend config {} refuses {} in convert: {}",
                              prepared_.backend_config->name(), weighted_class,
                              verdict.reason);
        Float(reason, verdict.field,
              "weight left float: " + why +
                  (reason.took_effect
                       ? "; what it reads and writes is quantized all the same"
                       : ""));
        return;
      }
      weight = DTypeText(DTypesOf(*LastQConfig(node)).weight);
    }
    reason.took_effect = input || output || !weight.empty();
    if (!reason.took_effect) {
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

  // A module has one qconfig, that of its last call.
  const QConfigPointer& LastQConfig(const Node& node) const {
    const Node& last = *last_calls_.at(node.target());
    return prepared_.node_qconfigs.Find(last.name())->qconfig;
  }

  DTypeVerdict CheckWeightOf(const Node& node, const std::string& weighted_class) const {
    const QConfigPointer& qconfig = LastQConfig(node);
    if (qconfig != nullptr) {
      return CheckWeight(qconfig, *prepared_.backend_config, weighted_class);
    }
    return {false, "qconfig",
            "the module's last call, " + last_calls_.at(node.target())->name() +
                ", has qconfig None"};
  }

  // The class for which convert asks the backend config whether it may quantize the
  // module's weight; empty for a node without such a weight.
  std::string WeightedClass(const Node& node) const {
    if (node.op() != Op::kCallModule) return "";
    const std::string type =
        FloatClassOf(prepared_.module.FindModule(node.target())->type);
    const ModuleType* known = FindModuleType(type);
    const bool is_container = known != nullptr && !known->weighted_module.empty();
    return reference_classes_.Contains(is_container ? known->weighted_module : type)
               ? type
               : "";
  }

  const GraphModule& float_module_;
  const Prepared& prepared_;
  const OrderedMap<std::string> reference_classes_;
  std::unordered_map<std::string, const Node*> last_calls_;  // by the module's path
  // By the last node of a fusion match: all of its nodes.
  std::unordered_map<std::string, std::vector<std::string>> members_;
};

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

GraphModule StandaloneGraph(const GraphModule& float_module, const Prepared& prepared,
                            const std::string& target) {
  const std::shared_ptr<Module> module = float_module.FindModule(target);
  return prepared.options.trace ? prepared.options.trace(module) : TraceSubmodule(module);
}

}  // namespace qconform
