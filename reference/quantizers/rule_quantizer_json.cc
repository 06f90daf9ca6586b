#include "reference/quantizers/rule_quantizer_json.h"

#include <map>

#include "reference/config/literal_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/quantizers/pattern_library.h"
#include "reference/quantizers/quantization_spec_json.h"
#include "reference/quantizers/subgraph_matcher.h"

namespace qconform {
namespace {

// Targets multiply: more shapes than this is a mistake.
constexpr size_t kMaxGraphs = 256;
constexpr size_t kMaxCalls = 64;

std::vector<std::string> Texts(const ordered_json& json, const char* key,
                               const JsonOrigin& origin) {
  const std::string what = std::string("'") + key + "'";
  std::vector<std::string> texts;
  for (const ordered_json& item :
       RequireArray(RequireMember(json, key, origin), what, origin)) {
    texts.push_back(RequireString(item, "a value of " + what, origin));
  }
  return texts;
}

struct PatternCall {
  std::string name;
  std::vector<std::string> targets;
  std::vector<std::string> inputs;
};

NamedPattern PatternFromJson(const std::string& name, const ordered_json& json,
                             const JsonOrigin& origin) {
  RequireArray(json, "a pattern", origin);
  if (json.empty() || json.size() > kMaxCalls) {
    throw InputError(origin.Of(json),
                     "the pattern has " + std::to_string(json.size()) + " calls",
                     "1 to " + std::to_string(kMaxCalls));
  }
  std::vector<PatternCall> calls;
  size_t graphs = 1;
  for (const ordered_json& entry : json) {
    RequireObject(entry, "a call of a pattern", origin);
    RequireOnlyKeys(entry, "a call of a pattern", {"name", "targets", "inputs"}, origin);
    calls.push_back(
        {RequireString(RequireMember(entry, "name", origin), "'name'", origin),
         Texts(entry, "targets", origin), Texts(entry, "inputs", origin)});
    for (size_t i = 0; i + 1 < calls.size(); ++i) {
      if (calls[i].name == calls.back().name) {
        throw InputError(origin.Of(entry), "two calls are named '" + calls[i].name + "'");
      }
      for (const std::string& input : calls[i].inputs) {
        if (input == calls.back().name) {
          throw InputError(origin.Of(entry), "'" + calls[i].name + "' uses '" + input +
                                                 "', which is called after it");
        }
      }
    }
    graphs *= calls.back().targets.size();
    if (graphs == 0 || graphs > kMaxGraphs) {
      throw InputError(
          origin.Of(entry),
          "the pattern has " + std::to_string(graphs) + " combinations of targets",
          "1 to " + std::to_string(kMaxGraphs));
    }
  }
  NamedPattern pattern;
  pattern.name = name;
  for (size_t index = 0; index < graphs; ++index) {
    PatternBuilder builder;
    size_t rest = index;
    for (const PatternCall& call : calls) {
      builder.Call(call.name, call.targets[rest % call.targets.size()], call.inputs);
      rest /= call.targets.size();
    }
    pattern.graphs.push_back(builder.Finish());
    try {
      SubgraphMatcher check(pattern.graphs.back());
    } catch (const InputError& error) {
      throw InputError(origin.Of(json), error.what());
    }
  }
  return pattern;
}

class Reader {
 public:
  Reader(const ordered_json& json, const JsonOrigin& origin) : origin_(origin) {
    if (const ordered_json* specs = FindValue(json, "specs")) {
      RequireObject(*specs, "'specs'", origin);
      for (const auto& [name, spec] : specs->items()) {
        specs_[name] = QuantizationSpecFromJson(spec, origin);
      }
    }
    if (const ordered_json* patterns = FindValue(json, "patterns")) {
      RequireObject(*patterns, "'patterns'", origin);
      for (const auto& [name, pattern] : patterns->items()) {
        patterns_[name] = PatternFromJson(name, pattern, origin);
      }
    }
  }

  QuantizerRule Rule(const ordered_json& json, size_t index) const {
    RequireObject(json, "a rule", origin_);
    RequireOnlyKeys(json, "a rule",
                    {"pattern", "module_name", "module_type", "edges", "outputs",
                     "allow_implicit_sharing", "float"},
                    origin_);
    QuantizerRule rule;
    rule.pattern = Pattern(RequireMember(json, "pattern", origin_));
    rule.text = "rules[" + std::to_string(index) + "] " + rule.pattern.name;
    if (const ordered_json* name = FindValue(json, "module_name")) {
      rule.module_name = RequireString(*name, "'module_name'", origin_);
      rule.text += " in '" + *rule.module_name + "'";
    }
    if (const ordered_json* type = FindValue(json, "module_type")) {
      rule.module_type = RequireString(*type, "'module_type'", origin_);
      rule.text += " in a " + *rule.module_type;
    }
    rule.leave_in_float = Flag(json, "float", false);
    rule.allow_implicit_sharing = Flag(json, "allow_implicit_sharing", true);
    if (const ordered_json* edges = FindValue(json, "edges")) {
      for (const ordered_json& edge : RequireArray(*edges, "'edges'", origin_)) {
        rule.edges.push_back(Edge(edge));
      }
    }
    if (const ordered_json* outputs = FindValue(json, "outputs")) {
      RequireObject(*outputs, "'outputs'", origin_);
      for (const auto& [name, spec] : outputs->items()) {
        rule.outputs.Set(name, Spec(spec));
      }
    }
    const bool has_specs = !rule.edges.empty() || !rule.outputs.empty();
    if (rule.leave_in_float == has_specs) {
      throw InputError(origin_.Of(json),
                       has_specs ? "a rule for float has specs" : "the rule says nothing",
                       "'edges' and 'outputs', or \"float\": true");
    }
    return rule;
  }

 private:
  bool Flag(const ordered_json& json, const char* key, bool fallback) const {
    const ordered_json* value = FindValue(json, key);
    return value == nullptr
               ? fallback
               : RequireBoolean(*value, std::string("'") + key + "'", origin_);
  }

  NamedPattern Pattern(const ordered_json& json) const {
    const std::string& name = RequireString(json, "'pattern'", origin_);
    if (const auto found = patterns_.find(name); found != patterns_.end()) {
      return found->second;
    }
    std::vector<std::string> names = LibraryPatternNames();
    for (const std::string& known : names) {
      if (known == name) return LibraryPattern(name);
    }
    for (const auto& [known, pattern] : patterns_) names.push_back(known);
    throw InputError(
        origin_.Of(json), "unknown pattern '" + name.substr(0, 80) + "'",
        "one of the library or of 'patterns'" + NearestNameHint(name, names));
  }

  RuleEdge Edge(const ordered_json& json) const {
    RequireObject(json, "an edge", origin_);
    RequireOnlyKeys(json, "an edge", {"from", "to", "spec"}, origin_);
    RuleEdge edge;
    edge.from = RequireString(RequireMember(json, "from", origin_), "'from'", origin_);
    edge.to = TextValue(json, "to", origin_);
    edge.spec = Spec(RequireMember(json, "spec", origin_));
    return edge;
  }

  QuantizationSpecPointer Spec(const ordered_json& json) const {
    if (!json.is_string()) return QuantizationSpecFromJson(json, origin_);
    const std::string& name = json.get_ref<const std::string&>();
    if (const auto found = specs_.find(name); found != specs_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, spec] : specs_) names.push_back(known);
    throw InputError(origin_.Of(json), "unknown spec '" + name.substr(0, 80) + "'",
                     "one of 'specs'" + NearestNameHint(name, names));
  }

  const JsonOrigin& origin_;
  std::map<std::string, QuantizationSpecPointer> specs_;
  std::map<std::string, NamedPattern> patterns_;
};

}  // namespace

std::shared_ptr<RuleQuantizer> RuleQuantizerFromJson(const ordered_json& json,
                                                     const JsonOrigin& origin,
                                                     Mode mode) {
  RequireObject(json, "a quantizer", origin);
  RequireOnlyKeys(
      json, "a quantizer of rules",
      {"quantizer", "name", "scalars_to_tensors", "specs", "patterns", "rules"}, origin);
  const Reader reader(json, origin);
  const ordered_json& list =
      RequireArray(RequireMember(json, "rules", origin), "'rules'", origin);
  std::vector<QuantizerRule> rules;
  for (const ordered_json& rule : list) {
    rules.push_back(reader.Rule(rule, rules.size()));
    // Refuses what the pattern has not, with the rule's line.
    try {
      RuleQuantizer check("", {rules.back()});
    } catch (const InputError& error) {
      throw InputError(origin.Of(rule), error.what());
    }
  }
  const std::string name = TextValue(json, "name", origin);
  const ordered_json* scalars = FindValue(json, "scalars_to_tensors");
  return std::make_shared<RuleQuantizer>(
      name.empty() ? "rules" : name, std::move(rules),
      scalars != nullptr && RequireBoolean(*scalars, "'scalars_to_tensors'", origin),
      mode);
}

}  // namespace qconform
