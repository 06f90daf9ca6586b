#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "reference/explain/unused.h"
#include "reference/match/is_match.h"

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
  Rows(const GraphModule& float_module, const Prepared& prepared)
      : prepared_(prepared), float_nodes_(float_module), nodes_(prepared.module) {
    for (const auto& [name, match] : prepared.fusion_matches) used_.insert(match.entry);
    for (const auto& [name, match] : prepared.matches) {
      if (match->entry == nullptr) continue;
      const NodeQConfig* qconfig = prepared.node_qconfigs.Find(match->last->name());
      const SupportVerdict* verdict = prepared.support.Find(name);
      const bool configured = qconfig != nullptr && qconfig->qconfig != nullptr;
      if (configured && (verdict == nullptr || verdict->supported)) {
        used_.insert(match->entry);
      } else if (refused_.count(match->entry) == 0) {
        refused_[match->entry] =
            name + ": " + (configured ? verdict->reason : "it has no qconfig");
      }
    }
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
  void Explain(const BackendConfig::Entry& entry, UnusedSetting& setting) const {
    if (const auto refused = refused_.find(&entry); refused != refused_.end()) {
      setting.why = "it matches and stays float at " + refused->second;
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

std::vector<UnusedSetting> UnusedConfigRows(const GraphModule& float_module,
                                            const Prepared& prepared) {
  return Rows(float_module, prepared).Find();
}

}  // namespace qconform
