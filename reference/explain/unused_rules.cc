#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reference/convert/node_reason.h"
#include "reference/explain/nearest.h"
#include "reference/explain/unused.h"
#include "reference/qconfig/python_regex.h"

namespace qconform {
namespace {

using Kind = QConfigRule::Kind;

// The last rule that decided one of some nodes, in words.
class Winners {
 public:
  void Add(const std::string& node, const NodeQConfig* resolved) {
    ++count_;
    if (resolved == nullptr || !text_.empty()) return;
    text_ = fmt::format("{} got its qconfig from {}", node, ToText(resolved->rule));
  }
  bool IsEmpty() const { return count_ == 0; }
  // "2 nodes are X; fc got its qconfig from module_name fc"
  std::string Text(const std::string& are) const {
    return fmt::format("{} node{} {}{}{}", count_, count_ == 1 ? "" : "s", are,
                       text_.empty() ? "" : ", overridden: ", text_);
  }

 private:
  size_t count_ = 0;
  std::string text_;
};

class Rules {
 public:
  Rules(const GraphModule& float_module, const Prepared& prepared)
      : float_module_(float_module), prepared_(prepared) {
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
      types_.insert(names.type);
      for (std::string path = names.path; !path.empty(); path = SplitParent(path).first) {
        if (!paths_.insert(path).second) break;
      }
      nodes_.push_back(std::move(names));
    }
  }

  UnusedSetting Explain(const QConfigRule& rule) const {
    UnusedSetting unused{"mapping rule", ToText(rule), "", false};
    switch (rule.kind) {
      case Kind::kGlobal:
        unused.why = "every node has a setting of its own";
        break;
      case Kind::kObjectType:
        ObjectType(rule.key, unused);
        break;
      case Kind::kModuleName:
        ModuleName(rule.key, unused);
        break;
      case Kind::kModuleNameRegex:
        Expression(rule.key, unused);
        break;
      case Kind::kModuleNameObjectTypeOrder:
        Order(rule.key, unused);
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

  const NodeQConfig* Resolved(const std::string& node) const {
    return prepared_.node_qconfigs.Find(node);
  }

  void ObjectType(const std::string& type, UnusedSetting& unused) const {
    Winners winners;
    bool fused = false;
    for (const NodeNames& names : nodes_) {
      if (names.type != type && names.scope_type != type) continue;
      winners.Add(names.node, Resolved(names.node));
      fused = fused || prepared_.fusion_matches.Contains(names.node);
    }
    if (winners.IsEmpty()) {
      unused.nothing_like_it = true;
      unused.why = "no node is " + type + NearestOf(type, types_);
    } else {
      unused.why = winners.Text("are or lie in " + type) +
                   (fused ? "; some are fused into another module" : "");
    }
  }

  void ModuleName(const std::string& name, UnusedSetting& unused) const {
    if (name.empty()) {
      unused.why = "torch never looks the empty name up";
      return;
    }
    if (paths_.count(name) == 0) {
      unused.nothing_like_it = true;
      unused.why =
          (float_module_.FindModule(name) != nullptr ? "the graph never calls this module"
                                                     : "no module has this name") +
          NearestOf(name, paths_);
      return;
    }
    Winners winners;
    for (const NodeNames& names : nodes_) {
      if (names.path == name || names.path.rfind(name + ".", 0) == 0) {
        winners.Add(names.node, Resolved(names.node));
      }
    }
    unused.why = winners.Text("lie in it");
  }

  void Expression(const std::string& text, UnusedSetting& unused) const {
    const PythonRegex expression(text, "module_name_regex");
    Winners winners;
    for (const NodeNames& names : nodes_) {
      if (expression.MatchesAtStart(names.path)) {
        winners.Add(names.node, Resolved(names.node));
      }
    }
    unused.nothing_like_it = winners.IsEmpty();
    unused.why = winners.IsEmpty() ? "it matches the start of no module name"
                                   : winners.Text("lie in modules that it matches");
  }

  void Order(const std::string& key, UnusedSetting& unused) const {
    const auto* rule = prepared_.given_mapping.module_name_object_type_order.Find(key);
    if (rule == nullptr) return;
    Winners winners;
    for (const NodeNames& names : nodes_) {
      if (names.type != rule->object_type) continue;
      const bool is_module = names.path != "" && float_module_.FindModule(names.path) &&
                             float_module_.FindModule(names.path)->type == names.type;
      const std::string parent = is_module ? SplitParent(names.path).first : names.path;
      if (parent == rule->module_name) winners.Add(names.node, nullptr);
    }
    unused.nothing_like_it = winners.IsEmpty();
    unused.why = winners.Text(fmt::format("are {} directly in '{}'", rule->object_type,
                                          rule->module_name)) +
                 fmt::format(
                     ", none is number {} (they count from 0; methods do not "
                     "count)",
                     rule->index);
  }

  const GraphModule& float_module_;
  const Prepared& prepared_;
  std::vector<NodeNames> nodes_;
  std::set<std::string> types_;
  std::set<std::string> paths_;
};

}  // namespace

std::vector<UnusedSetting> UnusedMappingRules(const GraphModule& float_module,
                                              const Prepared& prepared) {
  const Rules rules(float_module, prepared);
  std::vector<UnusedSetting> unused;
  for (const QConfigRule& rule : UnusedSettingRules(prepared)) {
    unused.push_back(rules.Explain(rule));
  }
  return unused;
}

}  // namespace qconform
