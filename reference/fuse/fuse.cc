#include "reference/fuse/fuse.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "reference/config/backend_config_maps.h"
#include "reference/fuse/fuser_lookup.h"
#include "reference/fuse/fuser_method.h"
#include "reference/fuse/fusion_match.h"
#include "reference/fuse/preserved_attributes.h"
#include "reference/fuse/referenced_modules.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kRelu = "torch.nn.functional.relu";

// Nodes as strings, their names.
Argument NamesOf(const NodePattern& pattern) {
  if (const Node* node = pattern.AsNode()) return node->name();
  const Sequence* sequence = pattern.As<Sequence>();
  if (sequence == nullptr) return pattern;
  std::vector<Argument> names;
  for (const Argument& item : sequence->items) names.push_back(NamesOf(item));
  return sequence->is_tuple ? Argument::Tuple(std::move(names))
                            : Argument::List(std::move(names));
}

std::shared_ptr<Module> MakeRelu(bool training) {
  auto relu = std::make_shared<Module>();
  relu->type = "torch.nn.ReLU";
  relu->training = training;
  relu->attributes.Set("inplace", false);
  return relu;
}

Pattern TypesOf(const FuserArgument& argument) {
  if (argument.is_tuple) {
    std::vector<Pattern> items;
    for (const FuserArgument& item : argument.items) items.push_back(TypesOf(item));
    return Pattern::Tuple(std::move(items));
  }
  if (argument.module != nullptr) return Pattern::Module(argument.module->type);
  if (!argument.function.empty()) return Pattern::FromName(argument.function);
  return Pattern::MatchAll();
}

// The parts of (last, first) or (last, (middle, first)) in execution order.
std::vector<FuserArgument> Reversed(const FuserArgument& parts, int count) {
  const auto refuse = [] {
    return PipelineError("TypeError",
                         "a part of the pattern belongs to another fusion already");
  };
  if (parts.items.size() != 2) throw refuse();
  if (count == 2) return {parts.items[1], parts.items[0]};
  const FuserArgument& rest = parts.items[1];
  if (!rest.is_tuple || rest.items.size() != 2) throw refuse();
  return {rest.items[1], rest.items[0], parts.items[0]};
}

class Fuser {
 public:
  Fuser(const GraphModule& module, bool is_qat, const BackendConfig& config, Mode mode)
      : source_(module), config_(config), is_qat_(is_qat), mode_(mode) {
    // An entry of a wrong shape is refused whether or not anything matches it.
    for (const BackendConfig::Entry& entry : config.entries()) {
      if (!entry.config.fuser_method.empty()) FuserMethodOf(entry.config);
    }
    fusions_ = FindFusions(source_, config, mode, &result_.differences);
  }

  FuseResult Run() {
    RunFuserMethods();
    for (const Node& node : source_.graph.nodes()) {
      const NodeFusion* fusion = fusions_.Find(node.name());
      if (fusion == nullptr || fused_.count(fusion->last) == 0) {
        Copy(node);
      } else if (fusion->last == &node) {
        Place(node, fused_.at(&node));
      }
    }
    result_.module.root =
        ReferencedModules(result_.module.graph, source_, replacements_,
                          [this](const auto& module) { return Own(module); });
    result_.module.scopes = source_.scopes;
    for (const auto& [name, fusion] : fusions_) {
      if (fused_.count(fusion.last) == 0) continue;
      result_.matches.Set(name,
                          {fusion.last->name(), fusion.entry, NamesOf(fusion.nodes)});
    }
    return std::move(result_);
  }

 private:
  struct Fused {
    Node* root;
    std::vector<Argument> extra_inputs;
  };

  void RunFuserMethods() {
    for (const Node& node : source_.graph.nodes()) {
      const NodeFusion* fusion = fusions_.Find(node.name());
      if (fusion == nullptr || fusion->last != &node) continue;
      try {
        FuseAt(node, *fusion);
      } catch (const PipelineError& error) {
        // torch's words for what nobody wrote yet.
        const bool unsupported =
            error.kind() == "NotImplementedError" || error.kind() == "Exception";
        if (mode_ == Mode::kTorch || !unsupported) throw;
        result_.refused.Set(node.name(), error.what());
      }
    }
  }

  void FuseAt(const Node& node, const NodeFusion& fusion) {
    const BackendPatternConfig& config = fusion.entry->config;
    Fused fused;
    fused.root = FindRootNodeGetter(config.root_node_getter)(fusion.nodes);
    fused.extra_inputs = FindExtraInputsGetter(config.extra_inputs_getter)(fusion.nodes);
    if (fused.root->op() != Op::kCallModule) {
      throw PipelineError("AssertionError",
                          "Expecting module node to be a call_module Node");
    }
    const bool training = source_.FindModule(fused.root->target())->training;
    const FuserArgument parts = PartsOf(fusion.nodes, training);
    const FuserMethod method = MethodFor(TypesOf(parts), *fusion.entry);
    FuserCall call{is_qat_, mode_, {}};
    call.arguments = method.reversed > 0 ? Reversed(parts, method.reversed) : parts.items;
    if (mode_ == Mode::kStrict) ReportTorchsRefusal(node, method.name, call);
    replacements_.Set(fused.root->target(), OwnParts(FindFuserMethod(method.name)(call)));
    fused_.emplace(&node, std::move(fused));
  }

  FuserMethod MethodFor(const Pattern& types, const BackendConfig::Entry& matched) {
    // Nothing comes before the pattern itself where its parts are of just these types.
    if (matched.key == types) return FuserMethodOf(matched.config);
    if (keys_.empty()) {
      for (const BackendConfig::Entry& entry : config_.entries()) {
        if (!entry.config.fuser_method.empty()) keys_.push_back(entry.key);
      }
    }
    const Pattern* key = FindFuserKey(types, keys_);
    if (key == nullptr) {
      throw PipelineError("AssertionError",
                          "did not find fuser method for: " + types.HumanText());
    }
    return FuserMethodOf(config_.Find(*key)->config);
  }

  // Strict mode folds some that torch does not.
  void ReportTorchsRefusal(const Node& node, const std::string& method, FuserCall call) {
    call.mode = Mode::kTorch;
    try {
      FindFuserMethod(method)(call);
    } catch (const PipelineError& error) {
      result_.differences.push_back({"fusion_refused", node.name(),
                                     "raises " + error.kind() + ": " + error.what(),
                                     "fuses it, or leaves it unfused if it cannot"});
    }
  }

  FuserArgument PartsOf(const NodePattern& pattern, bool root_is_training) {
    FuserArgument part;
    const Node* node = pattern.AsNode();
    if (node == nullptr) {
      part.is_tuple = true;
      for (const Argument& item : pattern.As<Sequence>()->items) {
        part.items.push_back(PartsOf(item, root_is_training));
      }
    } else if (node->op() == Op::kCallModule) {
      part.module = source_.FindModule(node->target());
      originals_.insert(part.module.get());
    } else if (node->op() == Op::kCallFunction && node->target() == kRelu) {
      // A function can stand in several fusions: a new module for each.
      part.module = MakeRelu(root_is_training);
    } else if (node->op() == Op::kCallFunction || node->op() == Op::kCallMethod) {
      part.function = node->target();
    }
    return part;
  }

  // The result's own copy of a module of the source; one copy of each.
  std::shared_ptr<Module> Own(const std::shared_ptr<Module>& module) {
    if (!module) return nullptr;
    std::shared_ptr<Module>& copy = copies_of_modules_[module.get()];
    if (!copy) copy = module->CloneSharingParameters();
    return copy;
  }

  // Modules of the source that a fuser method put into its result are copied, too.
  std::shared_ptr<Module> OwnParts(std::shared_ptr<Module> fused) {
    if (originals_.count(fused.get()) > 0) return Own(fused);
    std::vector<Module*> open = {fused.get()};
    while (!open.empty()) {
      Module* parent = open.back();
      open.pop_back();
      for (auto& [name, child] : parent->children) {
        if (!child) continue;
        if (originals_.count(child.get()) > 0) {
          child = Own(child);
        } else {
          open.push_back(child.get());
        }
      }
    }
    return fused;
  }

  void Remap(Argument& argument) const {
    MapNodes(argument, [this](Node* old) {
      auto found = copies_.find(old);
      if (found == copies_.end()) {
        throw PipelineError("KeyError",
                            "node " + old->name() + " was fused away but is still used");
      }
      return found->second;
    });
  }

  // A copy of `original` at the end of the new graph, with more arguments.
  Node* Append(const Node& original, const std::vector<Argument>& extra) {
    std::vector<Argument> args = original.args();
    args.insert(args.end(), extra.begin(), extra.end());
    OrderedMap<Argument> kwargs = original.kwargs();
    for (Argument& argument : args) Remap(argument);
    for (auto& [key, argument] : kwargs) Remap(argument);
    Node* copy =
        result_.module.graph.Append(original.op(), original.target(), std::move(args),
                                    std::move(kwargs), original.name());
    copy->meta() = original.meta();
    return copy;
  }

  void Copy(const Node& node) { copies_[&node] = Append(node, {}); }

  // The root node's copy stands where the last node of the pattern stood.
  void Place(const Node& last, const Fused& fused) {
    copies_[&last] = Append(*fused.root, fused.extra_inputs);
  }

  const GraphModule& source_;
  const BackendConfig& config_;
  bool is_qat_;
  Mode mode_;
  // Of the entries with a fuser method; made when first needed.
  std::vector<Pattern> keys_;
  OrderedMap<NodeFusion> fusions_;
  std::unordered_map<const Node*, Fused> fused_;
  OrderedMap<std::shared_ptr<Module>> replacements_;
  // Modules that were given to fuser methods.
  std::unordered_set<const Module*> originals_;
  std::unordered_map<const Module*, std::shared_ptr<Module>> copies_of_modules_;
  std::unordered_map<const Node*, Node*> copies_;
  FuseResult result_;
};

}  // namespace

FuseResult FuseWithMatches(const GraphModule& module, bool is_qat,
                           const BackendConfig& config, Mode mode) {
  return Fuser(module, is_qat, config, mode).Run();
}

GraphModule Fuse(const GraphModule& module, bool is_qat, const BackendConfig& config,
                 Mode mode, const FuseCustomConfig& custom_config) {
  GraphModule fused = FuseWithMatches(module, is_qat, config, mode).module;
  CopyPreserved(*module.root, custom_config.preserved_attributes, *fused.root);
  return fused;
}

}  // namespace qconform
