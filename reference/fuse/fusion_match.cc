#include "reference/fuse/fusion_match.h"

#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/match/is_match.h"
#include "reference/match/match_order.h"
#include "reference/match/pattern_index.h"

namespace qconform {
namespace {

class Finder {
 public:
  Finder(const GraphModule& module, const BackendConfig& config, Mode mode,
         ModeDifferences* differences)
      : module_(module),
        types_(ModuleTypesOf(module)),
        patterns_(FusionMatchOrder(config)),
        mode_(mode),
        differences_(differences) {
    CountCalls();
  }

  OrderedMap<NodeFusion> Find() {
    const auto accept = [this](const BackendConfig::Entry& entry, Node& node) {
      if (!UsesSharedModule(entry.key, Argument(&node), true)) return true;
      if (differences_ != nullptr) {
        differences_->push_back({"shared_module_fused", node.name(),
                                 "fuses " + entry.key.HumanText() +
                                     ", which changes the other calls of a module, too",
                                 "leaves it unfused"});
      }
      return mode_ == Mode::kTorch;
    };
    const auto& nodes = module_.graph.nodes();
    for (auto position = nodes.rbegin(); position != nodes.rend(); ++position) {
      // A pattern holds nodes as arguments do; none is changed.
      auto* node = const_cast<Node*>(&*position);
      if (claims_.Contains(node->name())) continue;
      const BackendConfig::Entry* entry = patterns_.FirstMatch(types_, *node, accept);
      if (entry == nullptr) continue;
      last_ = node;
      entry_ = entry;
      Apply(entry->key, Argument(node), std::make_shared<List>());
    }
    OrderedMap<NodeFusion> fusions;
    for (const auto& [name, claim] : claims_) {
      fusions.Set(name, {claim.last, claim.entry, Argument::List(*claim.nodes)});
    }
    return fusions;
  }

 private:
  using List = std::vector<Argument>;
  // The list goes on growing after the node has joined it.
  struct Claim {
    Node* last;
    const BackendConfig::Entry* entry;
    std::shared_ptr<List> nodes;
  };

  void Apply(const Pattern& pattern, const Argument& argument,
             const std::shared_ptr<List>& nodes) {
    if (pattern.IsTuple()) {
      auto inner = std::make_shared<List>();
      Apply(pattern.items()[0], argument, inner);
      const Node* node = argument.AsNode();
      const size_t count = pattern.items().size() - 1;
      for (size_t i = 0; node != nullptr && i < count && i < node->args().size(); ++i) {
        Apply(pattern.items()[i + 1], node->args()[i], inner);
      }
      nodes->push_back(Argument::Tuple(*inner));
      return;
    }
    Node* node = argument.AsNode();
    if (node == nullptr) {
      throw PipelineError("AttributeError",
                          "an argument in a fused pattern is not a node: " +
                              Pattern::Literal(argument).Text());
    }
    if (claims_.Contains(node->name())) return;
    nodes->push_back(argument);
    if (pattern.kind() != Pattern::Kind::kMatchAll) {
      claims_.Set(node->name(), {last_, entry_, nodes});
    }
  }

  void CountCalls() {
    for (const Node& node : module_.graph.nodes()) {
      if (node.op() != Op::kCallModule) continue;
      ++calls_[module_.ModuleAt(node.target())];
    }
  }

  bool UsesSharedModule(const Pattern& pattern, const Argument& argument, bool is_last) {
    const Node* node = argument.AsNode();
    if (node == nullptr) return false;
    if (pattern.kind() == Pattern::Kind::kModule) {
      return !is_last && calls_[module_.ModuleAt(node->target())] > 1;
    }
    if (!pattern.IsTuple()) return false;
    if (UsesSharedModule(pattern.items()[0], argument, is_last)) return true;
    for (size_t i = 1; i < pattern.items().size() && i <= node->args().size(); ++i) {
      if (UsesSharedModule(pattern.items()[i], node->args()[i - 1], false)) return true;
    }
    return false;
  }

  const GraphModule& module_;
  ModuleTypes types_;
  PatternIndex patterns_;
  Mode mode_;
  ModeDifferences* differences_;
  std::unordered_map<const Module*, int> calls_;
  OrderedMap<Claim> claims_;
  Node* last_ = nullptr;
  const BackendConfig::Entry* entry_ = nullptr;
};

}  // namespace

OrderedMap<NodeFusion> FindFusions(const GraphModule& module, const BackendConfig& config,
                                   Mode mode, ModeDifferences* differences) {
  return Finder(module, config, mode, differences).Find();
}

}  // namespace qconform
