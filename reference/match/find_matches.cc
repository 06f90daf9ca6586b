#include "reference/match/find_matches.h"

#include "reference/ir/error.h"
#include "reference/match/is_match.h"
#include "reference/match/match_order.h"
#include "reference/match/no_tensor.h"
#include "reference/match/pattern_index.h"

namespace qconform {
namespace {

constexpr const char* kGetAttr = "builtins.getattr";

bool IsGetAttr(const Pattern& head) {
  return head.kind() == Pattern::Kind::kFunction && head.name() == kGetAttr;
}

// Appends what the pattern matched, nested as torch's record_match nests it: a
// single argument of several nodes becomes a tuple, several arguments are spliced
// in.
void Record(const Pattern& pattern, const Argument& argument,
            std::vector<Argument>& recorded) {
  if (!pattern.IsTuple()) {
    recorded.push_back(argument);
    return;
  }
  const std::vector<Pattern>& items = pattern.items();
  const size_t argument_count = items.size() - 1;
  Record(items[0], argument, recorded);
  std::vector<Argument> inner;
  const Node* node = argument.AsNode();
  if (!IsGetAttr(items[0]) && node != nullptr) {
    for (size_t i = 0; i < argument_count && i < node->args().size(); ++i) {
      Record(items[i + 1], node->args()[i], inner);
    }
  }
  if (inner.empty()) {
    throw PipelineError("IndexError",
                        "the pattern " + pattern.HumanText() + " records no arguments");
  }
  if (inner.size() == 1) {
    recorded.push_back(std::move(inner[0]));
  } else if (argument_count == 1) {
    recorded.push_back(Argument::Tuple(std::move(inner)));
  } else {
    for (Argument& item : inner) recorded.push_back(std::move(item));
  }
}

class Finder {
 public:
  Finder(GraphModule& module, const BackendConfig& config, const MatchOptions& options)
      : module_(module),
        options_(options),
        types_(ModuleTypesOf(module)),
        no_tensors_(module),
        patterns_(QuantizationMatchOrder(config)) {}

  MatchMap Find() {
    auto& nodes = module_.graph.nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      if (!matches_.Contains(node->name())) MatchAt(*node);
    }
    for (Node& node : nodes) {
      if (node.op() == Op::kCallModule &&
          options_.custom_module_classes.count(std::string(types_(node.target()))) > 0) {
        RecordModule(node, true);
      }
    }
    for (Node& node : nodes) {
      if (node.op() == Op::kCallModule &&
          (options_.standalone_module_names.count(node.target()) > 0 ||
           options_.standalone_module_classes.count(std::string(types_(node.target()))) >
               0)) {
        RecordModule(node, false);
      }
    }
    return std::move(matches_);
  }

 private:
  Argument NodesOf(const BackendConfig::Entry& entry, Node& node) const {
    std::vector<Argument> recorded;
    const bool is_get_attr = entry.key.IsTuple() && IsGetAttr(entry.key.items()[0]);
    if (is_get_attr && options_.mode == Mode::kStrict) {
      recorded.push_back(Argument(&node));
    } else {
      Record(entry.key, Argument(&node), recorded);
    }
    return Argument::List(std::move(recorded));
  }

  // Whether the entry's getter finds a root. Getters are written for the shape in which
  // fusion holds a pattern; where strict mode left a fusion undone they may fail.
  bool HasRoot(const BackendConfig::Entry& entry, Node& node) const {
    if (entry.config.root_node_getter.empty()) return true;
    try {
      FindRootNodeGetter(entry.config.root_node_getter)(NodesOf(entry, node));
      return true;
    } catch (const PipelineError&) {
      return false;
    }
  }

  void MatchAt(Node& node) {
    PatternIndex::Accept accept;
    if (options_.mode == Mode::kStrict) {
      accept = [this](const BackendConfig::Entry& entry, Node& candidate) {
        return HasRoot(entry, candidate);
      };
    }
    const BackendConfig::Entry* entry = patterns_.FirstMatch(types_, node, accept);
    if (entry == nullptr) return;
    auto match = std::make_shared<QuantizationMatch>();
    match->last = &node;
    match->nodes = NodesOf(*entry, node);
    match->entry = entry;
    match->root = FindRootNodeGetter(entry->config.root_node_getter)(match->nodes);
    match->num_tensor_args = CountTensorArguments(*match->root);
    match->observation_type = ObservationTypeOf(*match);
    ForEachNode(match->nodes, [&](Node* member) { matches_.Set(member->name(), match); });
  }

  int CountTensorArguments(const Node& root) {
    int count = 0;
    for (const Argument& argument : root.args()) {
      if (argument.AsNode() != nullptr && !no_tensors_.HasNoTensors(argument)) ++count;
    }
    return count;
  }

  static ObservationType ObservationTypeOf(const QuantizationMatch& match) {
    const BackendPatternConfig& config = match.entry->config;
    if (config.num_tensor_args_to_observation_type.empty()) {
      return config.observation_type;
    }
    auto found = config.num_tensor_args_to_observation_type.find(match.num_tensor_args);
    if (found == config.num_tensor_args_to_observation_type.end()) {
      throw PipelineError("AssertionError",
                          "the config of " + match.entry->key.HumanText() +
                              " has no observation type for " +
                              std::to_string(match.num_tensor_args) + " tensors");
    }
    return found->second;
  }

  void RecordModule(Node& node, bool is_custom) {
    auto match = std::make_shared<QuantizationMatch>();
    match->last = match->root = &node;
    match->nodes = Argument(&node);
    match->num_tensor_args = CountTensorArguments(node);
    match->is_custom_module = is_custom;
    match->is_standalone_module = !is_custom;
    matches_.Set(node.name(), std::move(match));
  }

  GraphModule& module_;
  const MatchOptions& options_;
  ModuleTypes types_;
  NoTensorRule no_tensors_;
  PatternIndex patterns_;
  MatchMap matches_;
};

}  // namespace

MatchMap FindMatches(GraphModule& module, const BackendConfig& config,
                     const MatchOptions& options) {
  return Finder(module, config, options).Find();
}

}  // namespace qconform
