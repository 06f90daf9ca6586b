// Float graph in, graph with observers out: torch.ao.quantization.quantize_fx's
// prepare_fx and prepare_qat_fx.
#ifndef QCONFORM_REFERENCE_OBSERVE_PREPARE_H_
#define QCONFORM_REFERENCE_OBSERVE_PREPARE_H_

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/config/mode_difference.h"
#include "reference/fuse/fuse.h"
#include "reference/ir/module.h"
#include "reference/match/find_matches.h"
#include "reference/observe/custom_module.h"
#include "reference/observe/node_target.h"
#include "reference/observe/pattern_support.h"
#include "reference/observe/prepare_custom_config.h"
#include "reference/qconfig/constraint_check.h"
#include "reference/qconfig/node_qconfig.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// The graph of a standalone module's forward. (QuantizationTracer)
using SubmoduleTracer = std::function<GraphModule(const std::shared_ptr<Module>& module)>;

struct PrepareOptions {
  bool is_qat = false;
  Mode mode = Mode::kTorch;
  PrepareCustomConfig custom_config;
  // For standalone modules; by default TraceSubmodule of standalone_module.h.
  SubmoduleTracer trace;
  // By observed class: its from_float. Without one a module only changes its class; those
  // of torch.ao.nn.quantizable have one already.
  OrderedMap<CustomObservation> custom_observations;
};

// The graph with observers, and what convert and the reasons need to know.
// Node-keyed maps point into `module`; moving keeps them right.
struct Prepared {
  GraphModule module;
  // Observers are modules named activation_post_process_<n> whose state is an Observer;
  // observers that share are one module.
  PrepareOptions options;
  std::shared_ptr<const BackendConfig> backend_config;
  // As given, and after the rewrites for fusion and QAT.
  QConfigMapping given_mapping;
  QConfigMapping mapping;
  OrderedMap<FusionMatch> fusion_matches;
  // The fused graph's nodes in order, before observers.
  OrderedMap<NodeQConfig> node_qconfigs;
  MatchMap matches;
  // By node name, for nodes of matches that have a qconfig: what the support check
  // said before targets were reset to float.
  OrderedMap<SupportVerdict> support;
  // Constraints that refused a qconfig for a dtype config, whether or not another one
  // took it: what torch warns of, as often.
  std::vector<ConstraintVerdict> refused_constraints;
  NodeTargets targets;
  std::unordered_set<std::string> observed_node_names;
  // Where prepare in torch mode differs from strict mode on this model, in either mode.
  ModeDifferences differences;

  // A deep copy; observers are independent.
  Prepared Clone() const;
};

// Fuses, resolves the qconfigs, matches, and inserts observers. `float_module` is not
// changed. Throws PipelineError where torch refuses.
Prepared PrepareFx(const GraphModule& float_module, const QConfigMapping& mapping,
                   std::shared_ptr<const BackendConfig> backend_config,
                   const PrepareOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_PREPARE_H_
