#include "reference/quantizers/rule_quantizer.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/quantizers/node_filter.h"
#include "reference/quantizers/subgraph_matcher.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

const Node& NodeOfName(const QuantizerRule& rule, const PatternGraph& graph,
                       const std::string& name) {
  if (const Node* const* found = graph.names.Find(name)) return **found;
  std::vector<std::string> names;
  for (const auto& [known, node] : graph.names) names.push_back(known);
  throw InputError(rule.text, "the pattern has no node '" + name.substr(0, 80) + "'",
                   "one of its names" + NearestNameHint(name, names));
}

bool Uses(const Node& consumer, const Node& producer) {
  const std::vector<Node*> inputs = consumer.InputNodes();
  return std::find(inputs.begin(), inputs.end(), &producer) != inputs.end();
}

void RequireEdge(const QuantizerRule& rule, const PatternGraph& graph,
                 const EdgeOrNode& place) {
  const Node& node = NodeOfName(rule, graph, place.node);
  if (!place.IsEdge()) return;
  if (!Uses(node, NodeOfName(rule, graph, place.producer))) {
    throw InputError(rule.text, "'" + place.node + "' does not use '" + place.producer +
                                    "' in the pattern");
  }
}

std::vector<EdgeOrNode> PlacesOf(const QuantizationSpecPointer& spec) {
  if (const auto* shared = As<SharedQuantizationSpec>(spec)) {
    return {shared->edge_or_node};
  }
  if (const auto* derived = As<DerivedQuantizationSpec>(spec)) {
    return derived->derived_from;
  }
  return {};
}

// The one node of the pattern that uses `from`.
std::string OnlyConsumer(const QuantizerRule& rule, const PatternGraph& graph,
                         const std::string& from) {
  std::vector<const Node*> users;
  for (const Node* user : NodeOfName(rule, graph, from).users()) {
    if (user->op() != Op::kOutput) users.push_back(user);
  }
  if (users.size() > 1) {
    throw InputError(rule.text,
                     "the edge from '" + from + "' is ambiguous: " + users[0]->name() +
                         " and " + users[1]->name() + " use it",
                     "\"to\" with one of them");
  }
  if (users.empty()) {
    throw InputError(rule.text, "nobody uses '" + from + "' in the pattern");
  }
  for (const auto& [name, node] : graph.names) {
    if (node == users.front()) return name;
  }
  return users.front()->name();
}

// Pattern names -> nodes of one match.
class Resolved {
 public:
  explicit Resolved(const SubgraphMatch& match) : match_(match) {}

  // nullptr where the match has a literal.
  const Node* At(const std::string& name) const {
    Node* const* found = match_.by_name.Find(name);
    return found == nullptr ? nullptr : *found;
  }

  std::optional<EdgeOrNode> Place(const EdgeOrNode& place) const {
    const Node* node = At(place.node);
    const Node* producer = place.IsEdge() ? At(place.producer) : node;
    if (node == nullptr || producer == nullptr) return std::nullopt;
    return place.IsEdge() ? EdgeOrNode::Edge(*producer, *node)
                          : EdgeOrNode::Output(*node);
  }

  // Throws InputError for a place where the match has a number.
  QuantizationSpecPointer Spec(const QuantizerRule& rule,
                               const QuantizationSpecPointer& spec) const {
    std::vector<EdgeOrNode> places;
    for (const EdgeOrNode& place : PlacesOf(spec)) {
      const std::optional<EdgeOrNode> resolved = Place(place);
      if (!resolved) {
        throw InputError(rule.text, "a spec refers to " + ToText(place) +
                                        ", which is no tensor where the pattern matches");
      }
      places.push_back(*resolved);
    }
    if (places.empty()) return spec;
    if (As<SharedQuantizationSpec>(spec) != nullptr) return ShareWith(places.front());
    DerivedQuantizationSpec derived = *As<DerivedQuantizationSpec>(spec);
    derived.derived_from = std::move(places);
    return MakeSpec(std::move(derived));
  }

 private:
  const SubgraphMatch& match_;
};

// First to last: matching goes backwards.
std::vector<const Node*> CallsOf(const SubgraphMatch& match) {
  std::vector<const Node*> calls;
  for (auto entry = match.nodes.rbegin(); entry != match.nodes.rend(); ++entry) {
    const Node* node = entry->second.AsNode();
    if (entry->first->op() == Op::kPlaceholder || node == nullptr) continue;
    if (node->op() == Op::kCallFunction) calls.push_back(node);
  }
  return calls;
}

void Apply(const QuantizerRule& rule, const SubgraphMatch& match,
           const std::vector<const Node*>& calls, Annotations& annotations) {
  const Resolved resolved(match);
  for (const Node* call : calls) {
    QuantizationAnnotation annotation;
    annotation.annotated = true;
    annotation.allow_implicit_sharing = rule.allow_implicit_sharing;
    annotation.rule = rule.text;
    annotations.Set(*call, std::move(annotation));
  }
  for (const RuleEdge& edge : rule.edges) {
    const Node* from = resolved.At(edge.from);
    const Node* to = resolved.At(edge.to);
    // A number, or a bias that is not there.
    if (from == nullptr || to == nullptr) continue;
    annotations[*to].SetInput(*from, resolved.Spec(rule, edge.spec));
  }
  for (const auto& [name, spec] : rule.outputs) {
    const Node* node = resolved.At(name);
    if (node != nullptr) annotations[*node].output = resolved.Spec(rule, spec);
  }
}

}  // namespace

RuleQuantizer::RuleQuantizer(std::string name, std::vector<QuantizerRule> rules,
                             bool scalars_to_tensors, Mode mode)
    : AccountingQuantizer(mode),
      name_(std::move(name)),
      rules_(std::move(rules)),
      scalars_to_tensors_(scalars_to_tensors) {
  for (QuantizerRule& rule : rules_) {
    for (const PatternGraph& graph : rule.pattern.graphs) {
      SubgraphMatcher check(graph);
      for (RuleEdge& edge : rule.edges) {
        if (edge.to.empty()) edge.to = OnlyConsumer(rule, graph, edge.from);
        RequireEdge(rule, graph, {edge.from, edge.to});
        for (const EdgeOrNode& place : PlacesOf(edge.spec)) {
          RequireEdge(rule, graph, place);
        }
      }
      for (const auto& [node, spec] : rule.outputs) {
        if (NodeOfName(rule, graph, node).op() == Op::kPlaceholder) {
          throw InputError(rule.text, "'" + node + "' comes from outside the pattern",
                           "an output of one of its calls");
        }
        for (const EdgeOrNode& place : PlacesOf(spec)) RequireEdge(rule, graph, place);
      }
    }
  }
}

void RuleQuantizer::TransformForAnnotation(ExportedProgram& program) {
  if (scalars_to_tensors_) ConvertScalarsToAttributes(program);
}

void RuleQuantizer::Annotate(const ExportedProgram& program, Annotations& annotations) {
  SettingLedger ledger;
  std::vector<std::string> texts;
  for (const QuantizerRule& rule : rules_) texts.push_back(rule.text);
  ledger.Begin(texts);
  SubgraphMatchOptions options;
  options.ignore_literals = true;
  for (size_t i = 0; i < rules_.size(); ++i) {
    const QuantizerRule& rule = rules_[i];
    ledger.Enter(i);
    std::string why;
    std::vector<NodeFilter> filters;
    if (rule.module_name) {
      filters.push_back(InModuleOfName(program, *rule.module_name));
      why = WhyNoModuleOfName(program, *rule.module_name);
    }
    if (rule.module_type) {
      filters.push_back(InModuleOfType(program, *rule.module_type));
      if (why.empty()) why = WhyNoModuleOfType(program, *rule.module_type);
    }
    const auto passes = [&](const Node* node) {
      return std::all_of(filters.begin(), filters.end(),
                         [&](const NodeFilter& filter) { return filter(*node); });
    };
    size_t found = 0;
    for (const SubgraphMatch& match :
         FindPattern(rule.pattern, program.module.graph, options)) {
      ++found;
      const std::vector<const Node*> calls = CallsOf(match);
      if (!std::all_of(calls.begin(), calls.end(), passes)) continue;
      const auto taken = std::find_if(calls.begin(), calls.end(), [&](const Node* node) {
        return annotations.IsAnnotated(*node);
      });
      if (taken != calls.end()) {
        if (!ledger.HasOwner(**taken)) {
          ledger.BeatenBy(**taken, annotations.Find(**taken)->rule);
        }
        ledger.Beaten(**taken);
        continue;
      }
      Apply(rule, match, calls, annotations);
      for (const Node* call : calls) ledger.Reach(*call);
    }
    if (why.empty()) {
      why = found == 0 ? "the pattern " + rule.pattern.name + " matches nowhere"
                       : "where the pattern " + rule.pattern.name +
                             " matches another rule was first, or its nodes come from "
                             "other modules";
    }
    ledger.Reason(i, why);
  }
  accounts_ = ledger.Finish();
}

}  // namespace qconform
