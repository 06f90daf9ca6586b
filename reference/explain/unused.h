// What of a mapping, a backend config and the custom configs took effect nowhere, and
// why.
#ifndef QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_
#define QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_

#include <string>
#include <vector>

#include "reference/convert/node_reason.h"
#include "reference/fuse/fuse_custom_config.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare.h"

namespace qconform {

struct UnusedSetting {
  std::string kind;     // "mapping rule", "config row", "custom setting"
  std::string setting;  // "object_type torch.nn.Linear", a pattern, ...
  std::string why;
  // Nothing in the graph is of its type: the usual reason, of little interest.
  bool nothing_like_it = false;
  // The standalone module whose own mapping, config or custom config has it; empty for
  // the model's.
  std::string inside = {};
};

// What PrepareFx got and made, and what ExplainNodes says of it.
struct ExplainedStage {
  const GraphModule& float_module;
  const Prepared& prepared;
  const std::vector<NodeReason>& reasons;
};

// In the order of the mapping: rules that gave no node an observer or a quantized weight
// and that switched none off.
std::vector<UnusedSetting> UnusedMappingRules(const ExplainedStage& stage);
// In the order of the config: rows whose pattern was neither fused nor gave any node an
// observer or a quantized weight, here or in a standalone module with the same config.
std::vector<UnusedSetting> UnusedConfigRows(const ExplainedStage& stage);
// Of the PrepareCustomConfig.
std::vector<UnusedSetting> UnusedCustomSettings(const ExplainedStage& stage);
std::vector<UnusedSetting> UnusedConvertSettings(const Prepared& prepared,
                                                 const ConvertCustomConfig& config);
std::vector<UnusedSetting> UnusedFuseSettings(const GraphModule& float_module,
                                              const FuseCustomConfig& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_
