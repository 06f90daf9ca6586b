#include "reference/observe/prepare.h"

#include <algorithm>

#include "reference/fuse/preserved_attributes.h"
#include "reference/ir/error.h"
#include "reference/observe/insert_observers.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/qat_swap.h"
#include "reference/observe/standalone_module.h"
#include "reference/observe/used_modules.h"
#include "reference/qconfig/mapping_rewrite.h"
#include "reference/qconfig/preset_qconfig.h"

namespace qconform {
namespace {

bool Contains(const std::vector<int64_t>& indexes, int64_t index) {
  return std::find(indexes.begin(), indexes.end(), index) != indexes.end();
}

MatchOptions MatchOptionsOf(const PrepareCustomConfig& config, Mode mode) {
  MatchOptions options;
  options.mode = mode;
  for (const auto& [name, settings] : config.standalone_module_names) {
    options.standalone_module_names.insert(name);
  }
  for (const auto& [type, settings] : config.standalone_module_classes) {
    options.standalone_module_classes.insert(type);
  }
  for (const auto* classes :
       {&config.static_observed_classes, &config.dynamic_observed_classes,
        &config.weight_only_observed_classes}) {
    for (const auto& [type, observed] : *classes) {
      options.custom_module_classes.insert(type);
    }
  }
  return options;
}

// Calls visit(match, qconfig) once for every match, with the qconfig of its first
// entry: the last operator of a pattern decides for all of it.
template <typename Visit>
void ForEachMatch(const Prepared& prepared, const Visit& visit) {
  for (const auto& [name, match] : prepared.matches) {
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(name);
    visit(*match, resolved == nullptr ? nullptr : resolved->qconfig, name);
  }
}

// Sets the target of every node of the match that was not set before.
void SetTargets(Prepared& prepared, const QuantizationMatch& match,
                const QConfig* qconfig, const QuantizationMatch* handler,
                std::unordered_set<const Node*>& processed, NoTensorRule& no_tensor,
                SettingsTable& settings) {
  ForEachNode(match.nodes, [&](Node* node) {
    if (!processed.insert(node).second || qconfig == nullptr) return;
    prepared.targets[node] = TargetFromQConfig(
        *node, *qconfig, handler, *prepared.backend_config, no_tensor, settings);
  });
}

void SetGraphInputsAndOutputs(Prepared& prepared, NoTensorRule& no_tensor) {
  const PrepareCustomConfig& config = prepared.options.custom_config;
  int64_t input = 0;
  int64_t output = 0;
  for (Node& node : prepared.module.graph.nodes()) {
    if (node.op() == Op::kPlaceholder) {
      if (Contains(config.input_quantized_indexes, input++)) {
        prepared.targets[&node] = QuantizedTarget();
      }
    } else if (node.op() == Op::kOutput) {
      if (Contains(config.output_quantized_indexes, output++)) {
        prepared.targets[&node] = QuantizedTarget();
      }
    } else if (node.op() != Op::kGetAttr && no_tensor.HasNoTensors(&node)) {
      prepared.targets[&node] = NodeTarget{};
    }
  }
}

// torch constructs every observer of a qconfig that it gives to a module, observed or
// not: a range that no observer takes is refused there. Classes that take no
// factory_kwargs end in a TypeError that torch swallows.
// (_add_module_to_qconfig_obs_ctr)
class ConstructorTrial {
 public:
  explicit ConstructorTrial(Mode mode) : mode_(mode) {}

  void Try(const QConfigPointer& qconfig) {
    if (qconfig == nullptr || !tried_.insert(qconfig.get()).second) return;
    for (const auto* constructor : {&qconfig->activation, &qconfig->weight}) {
      if (!*constructor) continue;
      try {
        MakeObserver(**constructor, mode_);
      } catch (const PipelineError& error) {
        if (error.kind() != "TypeError" && error.kind() != "AttributeError") throw;
      }
    }
  }

 private:
  Mode mode_;
  std::unordered_set<const QConfig*> tried_;
};

void ComputeTargets(Prepared& prepared, SettingsTable& settings) {
  NoTensorRule no_tensor(prepared.module);
  for (const Node& node : prepared.module.graph.nodes()) {
    prepared.targets[&node] = FloatTarget();
  }
  std::unordered_set<const Node*> processed;
  ForEachMatch(prepared, [&](const QuantizationMatch& match,
                             const QConfigPointer& qconfig, const std::string&) {
    SetTargets(prepared, match, qconfig.get(), &match, processed, no_tensor, settings);
  });
  SetGraphInputsAndOutputs(prepared, no_tensor);
  ClearNonObservableArguments(prepared.module.graph, prepared.matches, prepared.targets);

  // What the backend does not support stays float.
  processed.clear();
  ForEachMatch(prepared, [&](const QuantizationMatch& match,
                             const QConfigPointer& qconfig, const std::string& name) {
    SupportVerdict verdict = CheckPatternSupport(match, qconfig, prepared.targets,
                                                 settings, prepared.options.mode);
    if (match.last->name() == name) {
      const auto report = [&](const std::vector<std::string>& findings) {
        for (const std::string& finding : findings) {
          prepared.differences.push_back(
              {"constraint_not_enforced", name, "accepts " + finding, "refuses it"});
        }
      };
      if (prepared.options.mode == Mode::kStrict && !verdict.supported) {
        report(
            CheckPatternSupport(match, qconfig, prepared.targets, settings, Mode::kTorch)
                .findings);
      } else {
        report(verdict.findings);
      }
    }
    if (!verdict.supported) {
      SetTargets(prepared, match, &FloatQConfig(), nullptr, processed, no_tensor,
                 settings);
    }
    prepared.support.Set(name, std::move(verdict));
  });
}

}  // namespace

Prepared PrepareFx(const GraphModule& float_module, const QConfigMapping& mapping,
                   std::shared_ptr<const BackendConfig> backend_config,
                   const PrepareOptions& options) {
  Prepared prepared;
  prepared.options = options;
  prepared.backend_config = std::move(backend_config);
  prepared.given_mapping = mapping;
  prepared.mapping = mapping;

  FuseResult fused = FuseWithMatches(float_module, options.is_qat,
                                     *prepared.backend_config, options.mode);
  prepared.module = std::move(fused.module);
  prepared.fusion_matches = std::move(fused.matches);
  prepared.differences = std::move(fused.differences);

  UpdateForFusion(prepared.module, prepared.mapping);
  const OrderedMap<QConfigPointer> propagated =
      PropagateQConfig(prepared.module, prepared.mapping,
                       {options.custom_config.non_traceable_module_names,
                        options.custom_config.non_traceable_module_classes},
                       options.mode);
  ConstructorTrial constructors(options.mode);
  for (const auto& [path, qconfig] : propagated) constructors.Try(qconfig);
  ErasePresetQConfigs(prepared.module.root);
  if (options.is_qat) {
    SwapQatModules(prepared.module, *prepared.backend_config, propagated, options.mode);
    UpdateForQat(*prepared.backend_config, prepared.mapping);
  }
  prepared.node_qconfigs = NodeQConfigs(prepared.module, prepared.mapping);
  for (const Node& node : prepared.module.graph.nodes()) {
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(node.name());
    if (node.op() == Op::kCallModule && resolved != nullptr) {
      constructors.Try(resolved->qconfig);
    }
  }
  prepared.matches = FindMatches(prepared.module, *prepared.backend_config,
                                 MatchOptionsOf(options.custom_config, options.mode));
  PrepareStandaloneModules(prepared);

  SettingsTable settings(options.mode);
  ComputeTargets(prepared, settings);
  const InsertionInputs inputs{*prepared.backend_config,
                               prepared.matches,
                               prepared.node_qconfigs,
                               prepared.targets,
                               options.custom_config,
                               options.custom_observations,
                               settings,
                               options.is_qat,
                               options.mode,
                               prepared.differences};
  prepared.observed_node_names = InsertObservers(prepared.module, inputs);
  prepared.refused_constraints = settings.TakeRefusals();
  for (ModeDifference& difference : settings.TakeDifferences()) {
    prepared.differences.push_back(std::move(difference));
  }
  KeepUsedModules(prepared.module);
  CopyPreserved(*float_module.root, options.custom_config.preserved_attributes,
                *prepared.module.root);
  return prepared;
}

Prepared Prepared::Clone() const {
  Prepared copy;
  std::unordered_map<const Node*, Node*> nodes;
  module.graph.CopyTo(copy.module.graph, &nodes);
  copy.module.root = module.root->Clone();
  copy.module.scopes = module.scopes;
  copy.options = options;
  copy.backend_config = backend_config;
  copy.given_mapping = given_mapping;
  copy.mapping = mapping;
  copy.fusion_matches = fusion_matches;
  copy.node_qconfigs = node_qconfigs;
  copy.support = support;
  copy.refused_constraints = refused_constraints;
  copy.observed_node_names = observed_node_names;
  copy.differences = differences;
  // All nodes of a match point at one object.
  std::unordered_map<const QuantizationMatch*, std::shared_ptr<QuantizationMatch>> copied;
  for (const auto& [name, match] : matches) {
    std::shared_ptr<QuantizationMatch>& other = copied[match.get()];
    if (!other) {
      other = std::make_shared<QuantizationMatch>(*match);
      other->last = nodes.at(match->last);
      other->root = nodes.at(match->root);
      MapNodes(other->nodes, [&](Node* node) { return nodes.at(node); });
    }
    copy.matches.Set(name, other);
  }
  // Constructors belong to the qconfigs, which both share.
  for (const auto& [node, target] : targets) copy.targets[nodes.at(node)] = target;
  return copy;
}

}  // namespace qconform
