// What of a mapping, a backend config and a custom config took effect nowhere, and why.
#ifndef QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_
#define QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_

#include <string>
#include <vector>

#include "reference/observe/prepare.h"

namespace qconform {

struct UnusedSetting {
  std::string kind;     // "mapping rule", "config row", "custom setting"
  std::string setting;  // "object_type torch.nn.Linear", a pattern, ...
  std::string why;
  // Nothing in the graph is of its type: the usual reason, of little interest.
  bool nothing_like_it = false;
};

// In the order of the mapping. `float_module` is what PrepareFx got.
std::vector<UnusedSetting> UnusedMappingRules(const GraphModule& float_module,
                                              const Prepared& prepared);
// In the order of the config: rows whose pattern was neither fused nor gave any node an
// observer or a quantized weight.
std::vector<UnusedSetting> UnusedConfigRows(const GraphModule& float_module,
                                            const Prepared& prepared);
std::vector<UnusedSetting> UnusedCustomSettings(const GraphModule& float_module,
                                                const Prepared& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_UNUSED_H_
