// Settings of a qconfig mapping from which nothing comes.
#ifndef QCONFORM_REFERENCE_CONVERT_UNUSED_SETTINGS_H_
#define QCONFORM_REFERENCE_CONVERT_UNUSED_SETTINGS_H_

#include <string>
#include <vector>

#include "reference/convert/node_reason.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/node_qconfig.h"

namespace qconform {

// Whether the rule that decided a node is `given`, or the copy of it that prepare makes
// for the fused and QAT classes of its class.
bool ActsFor(const QConfigRule& deciding, const QConfigRule& given);

// Every setting of the given mapping without effect: no node that it decided is observed
// or has a quantized weight, and if it is None, none would without it. `reasons` are
// those of ExplainNodes.
std::vector<QConfigRule> UnusedSettingRules(const GraphModule& float_module,
                                            const Prepared& prepared,
                                            const std::vector<NodeReason>& reasons);
// The same, as a line each.
std::vector<std::string> UnusedSettings(const GraphModule& float_module,
                                        const Prepared& prepared,
                                        const std::vector<NodeReason>& reasons);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_UNUSED_SETTINGS_H_
