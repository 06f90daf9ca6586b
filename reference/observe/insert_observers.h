// Inserts observers into a graph whose nodes have targets.
#ifndef QCONFORM_REFERENCE_OBSERVE_INSERT_OBSERVERS_H_
#define QCONFORM_REFERENCE_OBSERVE_INSERT_OBSERVERS_H_

#include <string>
#include <unordered_set>
#include <utility>

#include "reference/config/mode.h"
#include "reference/config/mode_difference.h"
#include "reference/observe/custom_module.h"
#include "reference/observe/node_target.h"
#include "reference/observe/pattern_support.h"
#include "reference/observe/prepare_custom_config.h"
#include "reference/qconfig/node_qconfig.h"

namespace qconform {

// What insertion reads; all of it belongs to the caller.
struct InsertionInputs {
  const BackendConfig& backend_config;
  const MatchMap& matches;
  const OrderedMap<NodeQConfig>& node_qconfigs;
  const NodeTargets& targets;
  const PrepareCustomConfig& custom_config;
  // By observed class; one that is not here keeps the module under its name.
  const OrderedMap<CustomObservation>& custom_observations;
  SettingsTable& settings;
  bool is_qat;
  Mode mode;
  // Grows.
  ModeDifferences& differences;

  void Report(const char* kind, const std::string& subject, std::string torch,
              std::string strict) const {
    differences.push_back({kind, subject, std::move(torch), std::move(strict)});
  }
};

// Inserts the observers of every operator, in graph order: of its inputs at the root
// of its pattern, of its output at the last node. New modules are named
// activation_post_process_<n>. Returns the names of the nodes of all patterns that the
// backend supports: convert swaps only these modules.
// (torch.ao.quantization.fx.prepare.insert_observers_for_model)
std::unordered_set<std::string> InsertObservers(GraphModule& module,
                                                const InsertionInputs& inputs);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_INSERT_OBSERVERS_H_
