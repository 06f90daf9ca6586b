#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "reference/explain/unused.h"
#include "reference/match/is_match.h"
#include "reference/observe/standalone_module.h"

namespace qconform {
namespace {

// The nodes of a graph by what their pattern's head would be.
class NodesByHead {
 public:
  explicit NodesByHead(const GraphModule& module) : types_(ModuleTypesOf(module)) {
    for (const Node& node : module.graph.nodes()) {
      switch (node.op()) {
        case Op::kCallModule:
          nodes_[Pattern::Module(std::string(types_(node.target()))).Text()].push_back(
              &node);
          break;
        case Op::kCallFunction:
          nodes_[Pattern::Function(node.target()).Text()].push_back(&node);
          break;
        case Op::kCallMethod:
          nodes_[Pattern::Method(node.target()).Text()].push_back(&node);
          break;
        default:
          break;
      }
    }
  }

  const std::vector<const Node*>& Of(const Pattern& pattern) const {
    static const std::vector<const Node*> none;
    const auto found = nodes_.find(pattern.Head().Text());
    return found == nodes_.end() ? none : found->second;
  }
  const ModuleTypes& types() const { return types_; }

 private:
  ModuleTypes types_;
  std::unordered_map<std::string, std::vector<const Node*>> nodes_;
};

class Rows {
 public:
  explicit Rows(const ExplainedStage& stage)
      : prepared_(stage.prepared),
        float_nodes_(stage.float_module),
        nodes_(stage.prepared.module) {
    Visit(stage.prepared, stage.reasons);
  }

  std::vector<UnusedSetting> Find() const {
    std::vector<UnusedSetting> unused;
    for (const BackendConfig::Entry& entry : prepared_.backend_config->entries()) {
      if (used_.count(&entry) > 0) continue;
      UnusedSetting setting{"config row", entry.key.HumanText(), "", false};
      Explain(entry, setting);
      unused.push_back(std::move(setting));
    }
    return unused;
  }

 private:
  void Visit(const Prepared& prepared, const std::vector<NodeReason>& reasons) {
    for (const auto& [name, match] : prepared.fusion_matches) used_.insert(match.entry);
    std::unordered_map<std::string, const NodeReason*> reason_of;
    for (const NodeReason& reason : reasons) {
      reason_of[reason.node] = &reason;
      if (reason.inner.empty()) continue;
      const Node* node = prepared.module.graph.Find(reason.node);
      const Prepared& inner =
          *ObservedStandaloneOf(*prepared.module.FindModule(node->target()));
      if (inner.backend_config == prepared.backend_config) Visit(inner, reason.inner);
    }
    for (const auto& [name, match] : prepared.matches) {
      const auto reason = reason_of.find(name);
      if (match->entry == nullptr || reason == reason_of.end()) continue;
      if (reason->second->took_effect) {
        used_.insert(match->entry);
      } else {
        refused_.emplace(match->entry,
                         name + ": " + WhyNot(prepared, *match, *reason->second));
      }
    }
  }

  static std::string WhyNot(const Prepared& prepared, const QuantizationMatch& match,
                            const NodeReason& reason) {
    const NodeQConfig* qconfig = prepared.node_qconfigs.Find(match.last->name());
    if (qconfig == nullptr || qconfig->qconfig == nullptr) return "it has no qconfig";
    const SupportVerdict* verdict = prepared.support.Find(reason.node);
    if (verdict != nullptr && !verdict->supported) return verdict->reason;
    return reason.text;
  }

  void Explain(const BackendConfig::Entry& entry, UnusedSetting& setting) const {
    if (const auto refused = refused_.find(&entry); refused != refused_.end()) {
      setting.why = "it matches and nothing comes of it at " + refused->second;
      return;
    }
    const bool is_fusion = !entry.config.fuser_method.empty();
    const NodesByHead& nodes = is_fusion ? float_nodes_ : nodes_;
    const std::vector<const Node*>& candidates = nodes.Of(entry.key);
    if (candidates.empty()) {
      setting.nothing_like_it = true;
      setting.why = "no node is " + entry.key.Head().HumanText();
      if (!float_nodes_.Of(entry.key).empty()) setting.why += " any more: all are fused";
      return;
    }
    MatchFailure nearest;
    for (const Node* node : candidates) {
      const Argument self(const_cast<Node*>(node));
      MatchFailure failure;
      if (IsMatch(nodes.types(), self, entry.key, kAnyUsers, &failure)) {
        setting.why = Shadowed(*node, is_fusion);
        return;
      }
      if (nearest.reason.empty() || failure.node != node->name()) nearest = failure;
    }
    setting.why = fmt::format("fails at {}: {}", nearest.node, nearest.reason);
  }

  std::string Shadowed(const Node& node, bool is_fusion) const {
    const BackendConfig::Entry* winner = nullptr;
    if (is_fusion) {
      if (const FusionMatch* match = prepared_.fusion_matches.Find(node.name())) {
        winner = match->entry;
      }
    } else if (const auto* match = prepared_.matches.Find(node.name())) {
      winner = (*match)->entry;
    }
    if (winner == nullptr) return "shadowed at " + node.name();
    return fmt::format("shadowed at {} by {}, which is tried first", node.name(),
                       winner->key.HumanText());
  }

  const Prepared& prepared_;
  const NodesByHead float_nodes_;
  const NodesByHead nodes_;
  std::set<const BackendConfig::Entry*> used_;
  // The first node at which a row matched and nothing came of it.
  std::unordered_map<const BackendConfig::Entry*, std::string> refused_;
};

}  // namespace

std::vector<UnusedSetting> UnusedConfigRows(const ExplainedStage& stage) {
  return Rows(stage).Find();
}

}  // namespace qconform
