#include <fmt/format.h>

#include <unordered_map>

#include "reference/convert/node_reason.h"
#include "reference/convert/unused_settings.h"
#include "reference/explain/nearest.h"
#include "reference/explain/unused.h"
#include "reference/qconfig/python_regex.h"

namespace qconform {
namespace {

using Kind = QConfigRule::Kind;

// What became of the nodes that a rule names, in words: of the first that it decided,
// else which rule decided the first.
class Winners {
 public:
  explicit Winners(QConfigRule rule) : rule_(std::move(rule)) {}

  void Add(const NodeReason* reason) {
    ++count_;
    if (reason == nullptr || reason->rule.kind == Kind::kNone) return;
    if (!ActsFor(reason->rule, rule_)) {
      if (!text_.empty()) return;
      text_ = fmt::format(", overridden: {} got its qconfig from {}", reason->node,
                          ToText(reason->rule));
    } else if (!decided_) {
      decided_ = true;
      text_ =
          reason->qconfig == nullptr
              ? fmt::format(", nothing comes of it: {} would stay float without it",
                            reason->node)
              : fmt::format(", nothing comes of it: {}: {}", reason->node, reason->text);
    }
  }
  bool IsEmpty() const { return count_ == 0; }
  // "nodes that are X: 2, overridden: fc got its qconfig from module_name fc"
  std::string Text(const std::string& are) const {
    return fmt::format("nodes that {}: {}{}", are, count_, text_);
  }

 private:
  const QConfigRule rule_;
  size_t count_ = 0;
  bool decided_ = false;
  std::string text_;
};

class Rules {
 public:
  explicit Rules(const ExplainedStage& stage)
      : float_module_(stage.float_module), prepared_(stage.prepared) {
    const GraphModule& float_module = float_module_;
    for (const NodeReason& reason : stage.reasons) reasons_[reason.node] = &reason;
    for (const Node& node : float_module.graph.nodes()) {
      NodeNames names;
      names.node = node.name();
      if (const auto found = float_module.scopes.find(node.name());
          found != float_module.scopes.end()) {
        names.path = found->second.path;
        names.scope_type = found->second.type;
      }
      if (node.op() == Op::kCallModule) {
        names.path = node.target();
        const std::shared_ptr<Module> module = float_module.FindModule(node.target());
        names.type = module == nullptr ? "" : module->type;
      } else if (node.op() == Op::kCallFunction || node.op() == Op::kCallMethod) {
        names.type = node.target();
      } else {
        continue;
      }
      const size_t index = nodes_.size();
      types_.Insert(names.type);
      in_type_[names.type].push_back(index);
      if (names.scope_type != names.type) in_type_[names.scope_type].push_back(index);
      for (std::string path = names.path; !path.empty(); path = SplitParent(path).first) {
        paths_.Insert(path);
        in_path_[path].push_back(index);
      }
      in_order_[ParentOf(names) + ", " + names.type].push_back(index);
      nodes_.push_back(std::move(names));
    }
  }

  UnusedSetting Explain(const QConfigRule& rule) {
    UnusedSetting unused{"mapping rule", ToText(rule), "", false};
    switch (rule.kind) {
      case Kind::kGlobal:
        Global(rule, unused);
        break;
      case Kind::kObjectType:
        ObjectType(rule, unused);
        break;
      case Kind::kModuleName:
        ModuleName(rule, unused);
        break;
      case Kind::kModuleNameRegex:
        Expression(rule, unused);
        break;
      case Kind::kModuleNameObjectTypeOrder:
        Order(rule, unused);
        break;
      case Kind::kNone:
        break;
    }
    return unused;
  }

 private:
  struct NodeNames {
    std::string node;
    std::string type;
    std::string path;
    std::string scope_type;
  };

  // Numbers of nodes, ascending, by a name.
  using NodeIndex = std::unordered_map<std::string, std::vector<size_t>>;

  static const std::vector<size_t>& Of(const NodeIndex& index, const std::string& name) {
    static const std::vector<size_t> none;
    const auto found = index.find(name);
    return found == index.end() ? none : found->second;
  }

  // The module that an order rule has to name.
  std::string ParentOf(const NodeNames& names) const {
    const std::shared_ptr<Module> module =
        names.path.empty() ? nullptr : float_module_.FindModule(names.path);
    const bool is_module = module != nullptr && module->type == names.type;
    return is_module ? SplitParent(names.path).first : names.path;
  }

  const NodeReason* ReasonOf(const std::string& node) const {
    const auto found = reasons_.find(node);
    return found == reasons_.end() ? nullptr : found->second;
  }

  void Global(const QConfigRule& rule, UnusedSetting& unused) const {
    Winners winners(rule);
    for (const NodeNames& names : nodes_) {
      const NodeReason* reason = ReasonOf(names.node);
      if (reason != nullptr && reason->rule == rule) winners.Add(reason);
    }
    unused.why = winners.IsEmpty() ? "every node has a setting of its own"
                                   : winners.Text("have no setting of their own");
  }

  void ObjectType(const QConfigRule& rule, UnusedSetting& unused) {
    const std::string& type = rule.key;
    Winners winners(rule);
    bool fused = false;
    for (const size_t index : Of(in_type_, type)) {
      const std::string& node = nodes_[index].node;
      winners.Add(ReasonOf(node));
      fused = fused || prepared_.fusion_matches.Contains(node);
    }
    if (winners.IsEmpty()) {
      unused.nothing_like_it = true;
      unused.why = "no node is " + type + types_.Hint(type);
    } else {
      unused.why = winners.Text("are or lie in " + type) +
                   (fused ? "; some are fused into another module" : "");
    }
  }

  void ModuleName(const QConfigRule& rule, UnusedSetting& unused) {
    const std::string& name = rule.key;
    if (name.empty()) {
      unused.why = "torch never looks the empty name up";
      return;
    }
    if (!paths_.Contains(name)) {
      unused.nothing_like_it = true;
      unused.why =
          (float_module_.FindModule(name) != nullptr ? "the graph never calls this module"
                                                     : "no module has this name") +
          paths_.Hint(name);
      return;
    }
    Winners winners(rule);
    for (const size_t index : Of(in_path_, name)) {
      winners.Add(ReasonOf(nodes_[index].node));
    }
    unused.why = winners.Text("lie in it");
  }

  void Expression(const QConfigRule& rule, UnusedSetting& unused) const {
    const PythonRegex expression(rule.key, "module_name_regex");
    Winners winners(rule);
    for (const NodeNames& names : nodes_) {
      if (expression.MatchesAtStart(names.path)) winners.Add(ReasonOf(names.node));
    }
    unused.nothing_like_it = winners.IsEmpty();
    unused.why = winners.IsEmpty() ? "it matches the start of no module name"
                                   : winners.Text("lie in modules that it matches");
  }

  void Order(const QConfigRule& given, UnusedSetting& unused) const {
    const auto* rule =
        prepared_.given_mapping.module_name_object_type_order.Find(given.key);
    if (rule == nullptr) return;
    Winners winners(given);
    bool decided = false;
    for (const size_t index :
         Of(in_order_, rule->module_name + ", " + rule->object_type)) {
      const NodeReason* reason = ReasonOf(nodes_[index].node);
      const bool decides = reason != nullptr && reason->rule == given;
      decided = decided || decides;
      winners.Add(decides ? reason : nullptr);
    }
    unused.nothing_like_it = winners.IsEmpty();
    unused.why = winners.Text(
        fmt::format("are {} directly in '{}'", rule->object_type, rule->module_name));
    if (decided) return;
    unused.why += fmt::format(
        ", none is number {} (they count from 0; methods do not count)", rule->index);
  }

  const GraphModule& float_module_;
  const Prepared& prepared_;
  std::unordered_map<std::string, const NodeReason*> reasons_;
  std::vector<NodeNames> nodes_;
  // By type or scope's type, by module around, by what an order rule names.
  NodeIndex in_type_;
  NodeIndex in_path_;
  NodeIndex in_order_;
  NearestNames types_;
  NearestNames paths_;
};

}  // namespace

std::vector<UnusedSetting> UnusedMappingRules(const ExplainedStage& stage) {
  Rules rules(stage);
  std::vector<UnusedSetting> unused;
  for (const QConfigRule& rule :
       UnusedSettingRules(stage.float_module, stage.prepared, stage.reasons)) {
    unused.push_back(rules.Explain(rule));
  }
  return unused;
}

}  // namespace qconform
