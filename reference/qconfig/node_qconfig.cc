#include "reference/qconfig/node_qconfig.h"

#include <optional>
#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/qconfig/observer_settings.h"
#include "reference/qconfig/python_regex.h"

namespace qconform {
namespace {

using Kind = QConfigRule::Kind;

// Longer ones are no names of modules.
constexpr size_t kLongestExpression = 1000;

class Resolver {
 public:
  explicit Resolver(const QConfigMapping& mapping) : mapping_(mapping) {
    for (const auto& [text, qconfig] : mapping.module_name_regex) {
      const std::string where = "module_name_regex '" + text.substr(0, 80) + "'";
      if (text.size() > kLongestExpression) {
        throw InputError(where, "the expression is too long",
                         "at most " + std::to_string(kLongestExpression) + " characters");
      }
      expressions_.push_back({PythonRegex(text, where), text, qconfig});
    }
  }

  NodeQConfig Global() const { return {mapping_.global, {Kind::kGlobal, ""}}; }

  NodeQConfig ForType(const std::string& type, NodeQConfig fallback) const {
    // The root has no class.
    if (type.empty()) return fallback;
    const QConfigPointer* found = mapping_.object_type.Find(type);
    if (found == nullptr) return fallback;
    return {*found, {Kind::kObjectType, type}};
  }

  // (_maybe_adjust_qconfig_for_module_type_or_name)
  NodeQConfig Lookup(const std::string& type, const std::string& path,
                     NodeQConfig fallback) {
    const std::optional<NodeQConfig>& by_name = ForPath(path);
    if (by_name) return *by_name;
    return ForType(type, std::move(fallback));
  }

  NodeQConfig ForOrder(const std::string& parent, const std::string& type,
                       NodeQConfig fallback) {
    const int64_t index = counts_[parent][type]++;
    if (mapping_.module_name_object_type_order.empty()) return fallback;
    const std::string key = QConfigMapping::OrderKey(parent, type, index);
    const auto* rule = mapping_.module_name_object_type_order.Find(key);
    if (rule == nullptr) return fallback;
    return {rule->qconfig, {Kind::kModuleNameObjectTypeOrder, key}};
  }

 private:
  struct Expression {
    PythonRegex regex;
    std::string text;
    QConfigPointer qconfig;
  };

  // The nearest named ancestor, else the first expression that matches; found
  // once a path.
  const std::optional<NodeQConfig>& ForPath(const std::string& path) {
    auto [entry, is_new] = by_path_.try_emplace(path);
    if (!is_new) return entry->second;
    for (std::string name = path; !name.empty(); name = SplitParent(name).first) {
      if (const QConfigPointer* found = mapping_.module_name.Find(name)) {
        entry->second = NodeQConfig{*found, {Kind::kModuleName, name}};
        return entry->second;
      }
    }
    for (const Expression& expression : expressions_) {
      if (expression.regex.MatchesAtStart(path)) {
        entry->second =
            NodeQConfig{expression.qconfig, {Kind::kModuleNameRegex, expression.text}};
        break;
      }
    }
    return entry->second;
  }

  const QConfigMapping& mapping_;
  std::vector<Expression> expressions_;
  std::unordered_map<std::string, std::optional<NodeQConfig>> by_path_;
  std::unordered_map<std::string, std::unordered_map<std::string, int64_t>> counts_;
};

std::string TypeAt(const GraphModule& module, const std::string& path) {
  // In torch the root is a GraphModule here, whatever the user's class was.
  if (path.empty()) return "";
  const std::shared_ptr<Module> found = module.FindModule(path);
  return found == nullptr ? "" : found->type;
}

}  // namespace

std::string ToText(const QConfigRule& rule) {
  const std::string key = rule.key.empty() ? "''" : rule.key;
  switch (rule.kind) {
    case Kind::kNone:
      return "none";
    case Kind::kGlobal:
      return "global";
    case Kind::kObjectType:
      return "object_type " + key;
    case Kind::kModuleNameRegex:
      return "module_name_regex " + key;
    case Kind::kModuleName:
      return "module_name " + key;
    case Kind::kModuleNameObjectTypeOrder:
      return "module_name_object_type_order " + key;
  }
  return "";
}

OrderedMap<NodeQConfig> NodeQConfigs(const GraphModule& module,
                                     const QConfigMapping& mapping) {
  Resolver resolver(mapping);
  OrderedMap<NodeQConfig> result;
  for (const Node& node : module.graph.nodes()) {
    NodeScope scope;
    if (auto found = module.scopes.find(node.name()); found != module.scopes.end()) {
      scope = found->second;
    }
    NodeQConfig value;
    switch (node.op()) {
      case Op::kPlaceholder:
      case Op::kOutput:
        break;
      case Op::kGetAttr: {
        const std::string owner = SplitParent(node.target()).first;
        value = resolver.Lookup(TypeAt(module, owner), owner, resolver.Global());
        break;
      }
      case Op::kCallFunction:
        value = resolver.ForType(node.target(), resolver.Global());
        value = resolver.Lookup(scope.type, scope.path, std::move(value));
        value = resolver.ForOrder(scope.path, node.target(), std::move(value));
        break;
      case Op::kCallMethod:
        value = resolver.Lookup(node.target(), scope.path, resolver.Global());
        value = resolver.Lookup(scope.type, scope.path, std::move(value));
        break;
      case Op::kCallModule: {
        const std::string type = TypeAt(module, node.target());
        if (IsObserverClass(type)) continue;
        value = resolver.Lookup(type, node.target(), resolver.Global());
        // A called module's scope is the module itself.
        if (scope.path.empty()) scope = {node.target(), type};
        value = resolver.ForOrder(SplitParent(scope.path).first, scope.type,
                                  std::move(value));
        break;
      }
    }
    result.Set(node.name(), std::move(value));
  }
  return result;
}

std::vector<QConfigRule> UnusedRules(const QConfigMapping& mapping,
                                     const std::set<QConfigRule>& used) {
  std::vector<QConfigRule> unused;
  const auto check = [&](Kind kind, const std::string& key) {
    QConfigRule rule{kind, key};
    if (used.count(rule) == 0) unused.push_back(std::move(rule));
  };
  if (mapping.global != nullptr) check(Kind::kGlobal, "");
  for (const auto& [key, value] : mapping.object_type) check(Kind::kObjectType, key);
  for (const auto& [key, value] : mapping.module_name_regex) {
    check(Kind::kModuleNameRegex, key);
  }
  for (const auto& [key, value] : mapping.module_name) check(Kind::kModuleName, key);
  for (const auto& [key, value] : mapping.module_name_object_type_order) {
    check(Kind::kModuleNameObjectTypeOrder, key);
  }
  return unused;
}

}  // namespace qconform
